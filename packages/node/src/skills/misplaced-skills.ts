/** What looks meant as a skill and is none, by its place or its letters: it would have no effect, and nobody would say so. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lookSync } from '../files/stat.js';

/** Folders and names that one line spells out. */
const most = 3;
/** Folders without a `SKILL.md` that are looked into. */
const mostFolders = 100;

/** One line each, for a person. `without`: folders directly in `folder` that hold no `SKILL.md`. */
export async function misplacedSkills(folder: string, without: readonly string[]): Promise<readonly string[]> {
  const own = await entriesOf(folder);
  const flat = own.filter((entry) => entry.isFile() && /^[a-z0-9][a-z0-9_-]*\.md$/.test(entry.name) && entry.name !== 'readme.md');
  const inside = await Promise.all(without.slice(0, mostFolders).map((name) => insideOf(folder, name)));
  return [
    ...(flat.length === 0
      ? []
      : [`${join(folder, named(flat.map(({ name }) => name)))}: no skill, which is a folder with a SKILL.md: ${example(flat)}`]),
    ...inside.flat(),
  ];
}

async function insideOf(folder: string, name: string): Promise<readonly string[]> {
  const entries = await entriesOf(join(folder, name));
  const other = entries.find((entry) => entry.name.toLowerCase() === 'skill.md');
  if (other !== undefined) return [`${join(folder, name, other.name)}: not read, since its name is not SKILL.md, letter for letter`];
  const deeper = entries.filter((entry) => entry.isDirectory() && lookSync(join(folder, name, entry.name, 'SKILL.md')).type === 'found');
  if (deeper.length === 0) return [];
  return [`${join(folder, name)}: its skills (${named(deeper.map((one) => one.name))}) are not found: they lie directly in ${folder}`];
}

const entriesOf = (folder: string): Promise<readonly Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);

const example = ([first]: readonly Dirent[]): string => `${first?.name.slice(0, -3) ?? 'name'}/SKILL.md`;

function named(names: readonly string[]): string {
  const sorted = names.toSorted();
  const rest = sorted.length - most;
  return `${sorted.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
