/** Folders below that hold instruction files and were not touched yet: looked for only when a person asks. */
import { join } from 'node:path';
import { listings } from './listing.js';
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

/** Level by level, so that what is near is found first; letter case does not count, for a wrong one has to be named. Links are not followed, as a touched path has a real place. */
export function foldersWithFiles(top: string, names: readonly string[]): Waiting {
  const wanted = new Set(names.map((name) => (name.split('/')[0] ?? name).toLowerCase()));
  const list = listings();
  const found: string[] = [];
  let level = [top];
  let [folders, entries] = [0, 0];
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      if (folders >= maxFolders || entries >= maxEntries) return { folders: found, whole: false };
      const listed = list(folder);
      folders += 1;
      entries += listed.names.length;
      if (folder !== top && listed.names.some((name) => wanted.has(name.toLowerCase()))) found.push(folder);
      for (const name of listed.folders.filter((name) => !foreignFolders.has(name)).sort()) next.push(join(folder, name));
    }
    level = next;
  }
  return { folders: found, whole: true };
}
