/** What looks meant as a skill and is none, by its place or its letters: it would have no effect, and nobody would say so. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lookSync } from '../files/stat.js';
import type { LeftSkill } from './skill.js';

/** Names that one line spells out. */
const most = 3;
/** Folders without a `SKILL.md` that are looked into, of each folder, and how many levels down. */
const mostFolders = 100;
const deepest = 3;
const foreign: ReadonlySet<string> = new Set(['node_modules', '.git']);

export type MisplacedSkill = Pick<LeftSkill, 'name' | 'path' | 'reason'>;

/** `without`: folders directly in `folder` that hold no `SKILL.md`. */
export async function misplacedSkills(folder: string, without: readonly string[]): Promise<readonly MisplacedSkill[]> {
  const own = await entriesOf(folder);
  const flat = own
    .filter((entry) => entry.isFile() && /^[a-z0-9][a-z0-9_-]*\.md$/.test(entry.name) && entry.name !== 'readme.md')
    .map(({ name }): MisplacedSkill => {
      const plain = name.slice(0, -3);
      return { name: plain, path: join(folder, name), reason: `a skill is a folder with a SKILL.md: ${plain}/SKILL.md` };
    });
  const inside = await Promise.all(without.slice(0, mostFolders).map((name) => insideOf(folder, name)));
  return [...flat, ...inside.flat()];
}

async function insideOf(folder: string, name: string): Promise<readonly MisplacedSkill[]> {
  const path = join(folder, name);
  const entries = await entriesOf(path);
  const other = entries.find((entry) => entry.name.toLowerCase() === 'skill.md');
  if (other !== undefined) return [{ name, path: join(path, other.name), reason: 'its file is not named SKILL.md, letter for letter' }];
  const found = await deeper(path, '', deepest);
  if (found.length === 0) return [];
  return [{ name, path, reason: `skills are found directly in ${folder} alone, and this folder holds ${named(found)}` }];
}

/** Folders below with a `SKILL.md`: a copied repository holds them in `skills`. */
async function deeper(path: string, below: string, levels: number): Promise<readonly string[]> {
  const folders = (await entriesOf(join(path, below))).filter((entry) => entry.isDirectory() && !foreign.has(entry.name));
  const found = folders.slice(0, mostFolders).map(async ({ name }) => {
    const inside = join(below, name);
    if (lookSync(join(path, inside, 'SKILL.md')).type === 'found') return [inside];
    return levels > 1 ? deeper(path, inside, levels - 1) : [];
  });
  return (await Promise.all(found)).flat();
}

const entriesOf = (folder: string): Promise<readonly Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);

function named(names: readonly string[]): string {
  const rest = names.length - most;
  return `${names.toSorted().slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
