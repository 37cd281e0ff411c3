/** Where a file that is gone went to: another name in its folder, or one that git calls new. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileView } from '@sidenote/engine';
import { newFiles } from '../git/new-files.js';
import type { GitPlace } from '../git/run-git.js';
import { digestOf } from './digest.js';
import { readTextFile } from './read.js';
import { lookSync, type FileStat } from './stat.js';
import { viewOf } from './view.js';

type Entry = { readonly path: string; readonly stat: FileStat };

/** One look around, shared by all files that vanished together. */
export type Search = {
  /** Names that are files of their own. */
  readonly taken: ReadonlySet<string>;
  readonly git: Omit<GitPlace, 'cwd'>;
  /** What was found so far, by folder and by root of a repository; grows. */
  readonly folders: Map<string, readonly Entry[]>;
  readonly repositories: Map<string, readonly Entry[]>;
};

/** Entries of one folder or repository that are looked at, and of those that are read to compare them. */
const maxEntries = 1000;
const maxRead = 5;

/** The view under the new name, or undefined: then it was deleted. */
export async function renamed(view: FileView, search: Search): Promise<FileView | undefined> {
  const folder = dirname(view.path);
  const near = search.folders.get(folder) ?? (await filesIn(folder));
  search.folders.set(folder, near);
  const beside = await among(near, view, search);
  if (beside !== undefined) return beside;
  const root = repositoryAround(folder);
  if (root === undefined) return undefined;
  const fresh = search.repositories.get(root) ?? entriesOf(await newFiles({ ...search.git, cwd: root }));
  search.repositories.set(root, fresh);
  // All empty files are alike.
  return among(fresh, view, { ...search, byText: view.size > 0 });
}

async function among(
  entries: readonly Entry[],
  view: FileView,
  { taken, byText = true }: Pick<Search, 'taken'> & { readonly byText?: boolean },
): Promise<FileView | undefined> {
  const candidates = entries.filter(({ path, stat }) => stat.size === view.size && !taken.has(path));
  // An inode alone proves nothing: it is given to the next new file.
  const moved = candidates.find(({ stat }) => stat.inode === view.inode && stat.mtimeNs === view.mtimeNs);
  if (moved !== undefined) return at(view, moved);
  if (view.form !== 'raw' || !byText) return undefined;
  for (const entry of candidates.slice(0, maxRead)) {
    const reading = await readTextFile(entry.path);
    if (reading.type === 'text' && digestOf(reading.text) === view.digest) return at(view, entry);
  }
  return undefined;
}

function at(view: FileView, entry: Entry): FileView {
  return { ...viewOf({ path: entry.path, text: '', stat: entry.stat, lines: view.lines, form: view.form }), digest: view.digest };
}

async function filesIn(folder: string): Promise<readonly Entry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entriesOf(found.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name)));
}

function entriesOf(paths: readonly string[]): readonly Entry[] {
  return paths.slice(0, maxEntries).flatMap((path) => {
    const looked = lookSync(path);
    return looked.type === 'found' && looked.kind === 'file' ? [{ path, stat: looked.stat }] : [];
  });
}

/** The nearest folder with a `.git`, up from one that may be gone itself. */
function repositoryAround(folder: string): string | undefined {
  if (lookSync(join(folder, '.git')).type === 'found') return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryAround(above);
}
