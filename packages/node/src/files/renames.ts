/** Where a file that is gone went to, if it is still in the same folder under another name. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileView } from '@sidenote/engine';
import { readTextFile } from './read.js';
import { lookSync, type FileStat } from './stat.js';
import { digestOf } from './digest.js';
import { viewOf } from './view.js';

type Entry = { readonly path: string; readonly stat: FileStat };

/** Files by folder, looked at once for all files that vanished together. */
export type Folders = Map<string, readonly Entry[]>;

/** Entries of one folder that are looked at, and of those that are read to compare them. */
const maxEntries = 1000;
const maxRead = 5;

/** The view under the new name, or undefined: then it was deleted. `taken` are names that are files of their own. */
export async function renamed(
  view: FileView,
  search: { readonly taken: ReadonlySet<string>; readonly folders: Folders },
): Promise<FileView | undefined> {
  const folder = dirname(view.path);
  let entries = search.folders.get(folder);
  if (entries === undefined) {
    entries = await filesIn(folder);
    search.folders.set(folder, entries);
  }
  const candidates = entries.filter(({ path, stat }) => stat.size === view.size && !search.taken.has(path));
  // An inode alone proves nothing: it is given to the next new file.
  const moved = candidates.find(({ stat }) => stat.inode === view.inode && stat.mtimeNs === view.mtimeNs);
  if (moved !== undefined) return at(view, moved);
  if (view.form !== 'raw') return undefined;
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
  return found
    .filter((entry) => entry.isFile())
    .slice(0, maxEntries)
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const looked = lookSync(path);
      return looked.type === 'found' ? [{ path, stat: looked.stat }] : [];
    });
}
