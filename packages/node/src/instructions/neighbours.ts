/** What an import stands for: a file beside the one that names it. What is there is looked up once. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { resolveFrom } from '../files/paths.js';
import { findNow, type Found } from './read-now.js';

export type Neighbours = {
  /** Whether a path, as written, names something that could be read. */
  isFile(written: string): boolean;
  /** Where it is: in the first folder that has it, else where it would be in the first. */
  at(written: string): { readonly path: string; readonly found: Found };
};

export function neighboursIn(folders: readonly string[], home: string): Neighbours {
  const realFolders = new Map<string, string>();
  const known = new Map<string, ReturnType<Neighbours['at']>>();
  const hasSpaced = spacedNames();
  const isThere = ({ found }: ReturnType<Neighbours['at']>): boolean =>
    found.type === 'unreadable' || (found.type === 'found' && found.kind !== 'directory');
  const look = (written: string): ReturnType<Neighbours['at']> => {
    const all = folders.map((folder) => {
      const path = resolveFrom(folder, written, home);
      return { path, found: hasSpaced(path, folder) ? findNow(path, realFolders) : ({ type: 'missing' } as const) };
    });
    return all.find(isThere) ?? all[0] ?? { path: written, found: { type: 'missing' } };
  };
  const at: Neighbours['at'] = (written) => {
    const answer = known.get(written) ?? look(written);
    if (isThere(answer)) known.set(written, answer);
    return answer;
  };
  return { at, isFile: (written) => isThere(at(written)) };
}

/**
 * Words after an import are tried as the rest of its name. Few folders hold names with spaces, so one listing answers for
 * all of them; only paths beside the importing file are asked so, the others are looked at.
 */
function spacedNames(): (path: string, folder: string) => boolean {
  const listed = new Map<string, boolean>();
  return (path, folder) => {
    const rest = path.slice(folder.length);
    if (!rest.includes(' ') || dirname(path) !== folder) return true;
    const answer = listed.get(folder) ?? holdsSpaces(folder);
    listed.set(folder, answer);
    return answer;
  };
}

function holdsSpaces(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.includes(' '));
  } catch {
    return true;
  }
}
