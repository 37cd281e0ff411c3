/** Folders below that hold instruction files and were not touched yet: looked for only when a person asks. */
import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { foreignFolders } from './nested.js';

/** Folders, and entries in all of them, that are looked at. */
const maxFolders = 2500;
const maxEntries = 25_000;

export type Waiting = {
  /** Absolute, the nearest first. */
  readonly folders: readonly string[];
  /** False: there were more folders than are looked at. */
  readonly whole: boolean;
};

/** Level by level, so that what is near is found first. Links are not followed, as a touched path has a real place. */
export function foldersWithFiles(top: string, names: readonly string[]): Waiting {
  const wanted = new Set(names.map((name) => name.split('/')[0] ?? name));
  const found: string[] = [];
  let level = [top];
  let [folders, entries] = [0, 0];
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      if (folders >= maxFolders || entries >= maxEntries) return { folders: found, whole: false };
      const listed = entriesOf(folder);
      folders += 1;
      entries += listed.length;
      if (folder !== top && listed.some(({ name }) => wanted.has(name))) found.push(folder);
      const below = listed.filter((entry) => entry.isDirectory() && !foreignFolders.has(entry.name)).map(({ name }) => name);
      for (const name of below.sort()) next.push(join(folder, name));
    }
    level = next;
  }
  return { folders: found, whole: true };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
