/** What looks meant as a skill and is none, by its place or its letters: it would have no effect, and nobody would say so. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lookSync } from '../files/stat.js';
import type { LeftSkill } from './skill.js';

/** Names that one line spells out. */
const most = 3;
/** Looks at what lies in folders without a `SKILL.md`, of one folder of skills, since it is looked through with each message; and how many levels down. */
const mostLooks = 500;
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
  const looks: Looks = { left: mostLooks };
  const inside: MisplacedSkill[] = [];
  // One after the other, so that each time the same ones are looked at.
  for (const name of without.toSorted()) if (looks.left-- > 0) inside.push(...(await insideOf(folder, name, looks)));
  return [...flat, ...inside];
}

type Looks = { left: number };

async function insideOf(folder: string, name: string, looks: Looks): Promise<readonly MisplacedSkill[]> {
  const path = join(folder, name);
  const entries = await entriesOf(path);
  const other = entries.find((entry) => entry.name.toLowerCase() === 'skill.md');
  if (other !== undefined) return [{ name, path: join(path, other.name), reason: 'its file is not named SKILL.md, letter for letter' }];
  const found = await deeper(path, looks);
  if (found.length === 0) return [];
  return [{ name, path, reason: `skills are found directly in ${folder} alone, and this folder holds ${named(found)}` }];
}

/** Folders below with a `SKILL.md`: a copied repository holds them in `skills`. */
async function deeper(path: string, looks: Looks): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [''];
  for (let depth = 0; depth < deepest; depth++) {
    const next: string[] = [];
    for (const below of level) {
      const folders = (await entriesOf(join(path, below))).filter((entry) => entry.isDirectory() && !foreign.has(entry.name));
      for (const name of folders.map((entry) => entry.name).toSorted()) {
        if (looks.left-- <= 0) return found;
        const inside = join(below, name);
        if (lookSync(join(path, inside, 'SKILL.md')).type === 'found') found.push(inside);
        else next.push(inside);
      }
    }
    level = next;
  }
  return found;
}

const entriesOf = (folder: string): Promise<readonly Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);

function named(names: readonly string[]): string {
  const rest = names.length - most;
  return `${names.toSorted().slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
