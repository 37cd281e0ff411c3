/** What one folder of skills or commands holds, read again only as far as its stats moved. */
import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { codeOf } from '../files/failure.js';
import { lookSync, stampIn } from '../files/stat.js';
import { misplacedSkills, type MisplacedSkill } from './misplaced-skills.js';
import type { SkillPlace } from './places.js';
import { readSkill, type SkillReading } from './read-skill.js';

/** Files of one folder, and folders below each other for commands: a tree that is larger was not made for this. */
const most = { files: 1_000, depth: 5 } as const;

/** `name`: what its place in the folder makes it be called. */
export type FoundSkill = { readonly name: string; readonly path: string; readonly reading: SkillReading; readonly stamp: string };
export type FolderReading = {
  readonly found: readonly FoundSkill[];
  readonly misplaced: readonly MisplacedSkill[];
  readonly notes: readonly string[];
};

const nothing: FolderReading = { found: [], misplaced: [], notes: [] };

/** Identity: what was read last. Only a memory: an empty one gives the same. */
export class FolderCache {
  readonly #files = new Map<string, Promise<FoundSkill>>();
  readonly #running = new Map<string, Promise<FolderReading>>();

  /** Never rejects: a folder that isn't there holds nothing. Asked several times at once, it looks once. */
  read(place: SkillPlace): Promise<FolderReading> {
    const running = this.#running.get(place.folder);
    if (running !== undefined) return running;
    if (lookSync(place.folder).type === 'gone') return Promise.resolve(nothing);
    const reading = this.#read(place).finally(() => this.#running.delete(place.folder));
    this.#running.set(place.folder, reading);
    return reading;
  }

  async #read(place: SkillPlace): Promise<FolderReading> {
    const listing = place.type === 'skill' ? await skillFiles(place.folder) : await commandFiles(place.folder, '', 0);
    if (typeof listing === 'string') return { ...nothing, notes: [`${place.folder} can't be looked through (${listing})`] };
    const files = [...listing].sort((a, b) => (a.name < b.name ? -1 : 1));
    const left = files.length - most.files;
    const found = await Promise.all(files.slice(0, most.files).flatMap(({ name, path }) => this.#file(place, name, path) ?? []));
    const names = new Set(found.map(({ name }) => name));
    const without = files.filter(({ name }) => !names.has(name)).map(({ name }) => name);
    const misplaced = place.type === 'skill' ? await misplacedSkills(place.folder, without) : [];
    return { found, misplaced, notes: left > 0 ? [`${place.folder} holds ${files.length} files: the last ${left} are left out`] : [] };
  }

  #file({ type, scope, folder }: SkillPlace, name: string, path: string): Promise<FoundSkill> | undefined {
    const looked = lookSync(path);
    if (looked.type === 'gone') return undefined;
    const key = `${path}\0${stampIn(looked)}`;
    const known = this.#files.get(path);
    const read = async (): Promise<FoundSkill> => ({
      name,
      path,
      stamp: key,
      reading: await readSkill({ type, name, scope, place: folder, path }),
    });
    // A stat within two seconds of the write proves nothing.
    const isSure = looked.type === 'found' && !looked.stat.racy;
    const reading = known === undefined ? read() : known.then((one) => (isSure && one.stamp === key ? one : read()));
    this.#files.set(path, reading);
    return reading;
  }
}

type Listed = { readonly name: string; readonly path: string };

/** A string: why it can't be looked through. */
async function skillFiles(folder: string): Promise<readonly Listed[] | string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(codeOf);
  if (typeof entries === 'string') return entries;
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => ({ name, path: join(folder, name, 'SKILL.md') }));
}

async function commandFiles(folder: string, below: string, depth: number): Promise<readonly Listed[] | string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(codeOf);
  if (typeof entries === 'string') return entries;
  const found: Listed[] = [];
  for (const entry of entries) {
    const inside = join(below, entry.name);
    if (entry.name.endsWith('.md')) found.push({ name: inside.slice(0, -3).split(sep).join(':'), path: join(folder, inside) });
    else if (entry.isDirectory() && depth < most.depth && found.length < most.files) {
      const more = await commandFiles(folder, inside, depth + 1);
      if (typeof more !== 'string') found.push(...more);
    }
  }
  return found;
}
