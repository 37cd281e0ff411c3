/** Rules folders: every markdown file in them, links followed, in the order of their names. */
import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../files/failure.js';

/** A rule, or a folder that could not be looked through, with the reason. */
export type Rule = { readonly path: string; readonly broken?: string };

/** Files of one rules folder, and folders in each other, that are looked at. */
const maxRules = 1000;
const maxDepth = 10;

/** Absolute paths of files whose names `end` so. A folder that is met again, by a link that leads back, is passed over. Never throws. */
export function rulesIn(folder: string, end: RegExp = /\.md$/i): readonly Rule[] {
  const found: Rule[] = [];
  const entered = new Set<string>();
  const enter = (at: string, depth: number): void => {
    for (const entry of entriesOf(at, end, entered)) {
      if (found.length > maxRules) return;
      if (typeof entry === 'string') found.push({ path: at, broken: entry });
      else if (found.length === maxRules)
        found.push({ path: folder, broken: `it holds more than ${maxRules} rules; the rest is not read` });
      else if (!entry.isFolder) found.push({ path: entry.path });
      else if (depth < maxDepth) enter(entry.path, depth + 1);
      else found.push({ path: entry.path, broken: `more than ${maxDepth} folders deep` });
    }
  };
  enter(folder, 0);
  return found;
}

/** Folders, and files whose names end so; or why there is no telling. */
function entriesOf(
  folder: string,
  end: RegExp,
  entered: Set<string>,
): readonly ({ readonly path: string; readonly isFolder: boolean } | string)[] {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
    const real = realpathSync.native(folder);
    if (entered.has(real)) return [];
    entered.add(real);
    return readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => ({ path: join(folder, entry.name), isFolder: isFolder(folder, entry) }))
      .filter((entry) => entry.isFolder || end.test(entry.path));
  } catch (error) {
    return [`it can't be looked through (${codeOf(error)})`];
  }
}

function isFolder(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
