/** Where instruction files may lie, broad to specific, and which of them are there. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lookSync } from '../files/stat.js';
import type { Surroundings } from './options.js';

export type Scope = 'user' | 'project' | 'local';

/** A place that is looked at. Equal text in one `folder` is one file; globs of a file are relative to `base`. */
export type Place = { readonly path: string; readonly scope: Scope; readonly folder: string; readonly base: string };

/** Files under one `rules` folder, and folders in each other, that are looked at. */
const maxRules = 1000;
const maxDepth = 10;

export async function userPlaces(at: Surroundings, root: string): Promise<readonly Place[]> {
  const rules = await rulesIn(join(at.userFolder, 'rules'));
  const files = [join(at.userFolder, 'CLAUDE.md'), join(at.ownFolder, 'AGENTS.md'), ...rules];
  return files.map((path) => ({ path, scope: 'user', folder: dirname(path), base: root }));
}

/** One folder's files: `CLAUDE.md`, `.claude/CLAUDE.md`, `AGENTS.md`, rules, and `CLAUDE.local.md` at last. */
export async function placesIn(folder: string, at: Surroundings): Promise<readonly Place[]> {
  // The user's own folder is user scope alone, also where a project lies above or inside it.
  const nested = join(folder, '.claude') === join(at.home, '.claude') ? undefined : join(folder, '.claude');
  const shared = [join(folder, 'CLAUDE.md'), ...(nested === undefined ? [] : [join(nested, 'CLAUDE.md')]), join(folder, 'AGENTS.md')];
  const rules = nested === undefined ? [] : await rulesIn(join(nested, 'rules'));
  return [
    ...[...shared, ...rules].map((path): Place => ({ path, scope: 'project', folder, base: folder })),
    { path: join(folder, 'CLAUDE.local.md'), scope: 'local', folder, base: folder },
  ];
}

/** From the root of the file system down to `folder`. */
export function foldersTo(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersTo(parent), folder];
}

/** The folder with the `.git` that `folder` belongs to, else `folder` itself. */
export function rootOf(folder: string): string {
  return foldersTo(folder).findLast((one) => lookSync(join(one, '.git')).type === 'found') ?? folder;
}

async function rulesIn(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const looked = entry.isSymbolicLink() ? lookSync(path) : undefined;
    const isFolder = entry.isDirectory() || (looked?.type === 'found' && looked.kind === 'directory');
    if (isFolder && depth < maxDepth) found.push(...(await rulesIn(path, depth + 1)));
    else if (!isFolder && entry.name.endsWith('.md')) found.push(path);
    if (found.length >= maxRules) break;
  }
  return found;
}
