/** What looks meant as a skill and is none, by its place or its letters: it would have no effect, and nobody would say so. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lookSync } from '../files/stat.js';
import type { LeftSkill } from './skill.js';

/** Names that one line spells out. */
const most = 3;
/** Folders without a `SKILL.md` that are looked into. */
const mostFolders = 100;

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
  const deeper = entries.filter((entry) => entry.isDirectory() && lookSync(join(path, entry.name, 'SKILL.md')).type === 'found');
  if (deeper.length === 0) return [];
  return [{ name, path, reason: `skills are found directly in ${folder} alone, and this folder holds ${named(deeper)}` }];
}

const entriesOf = (folder: string): Promise<readonly Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);

function named(entries: readonly Dirent[]): string {
  const names = entries.map(({ name }) => name).toSorted();
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
