/** What an import stands for: a file beside the one that names it. What is there is looked up once. */
import { readdirSync } from 'node:fs';
import { resolveFrom } from '../files/paths.js';
import { findNow, type Found } from './read-now.js';

export type Neighbours = {
  /** Whether a path, as written, names something that could be read. */
  isFile(written: string): boolean;
  /** Whether a longer name, with a space behind the word, may be there: one listing answers for all words. */
  mayGoOn(word: string): boolean;
  /** Where it is: in the first folder that has it, else where it would be in the first. */
  at(written: string): { readonly path: string; readonly found: Found };
};

export function neighboursIn(folders: readonly string[], home: string): Neighbours {
  const realFolders = new Map<string, string>();
  const known = new Map<string, ReturnType<Neighbours['at']>>();
  const isThere = ({ found }: ReturnType<Neighbours['at']>): boolean =>
    found.type === 'unreadable' || (found.type === 'found' && found.kind !== 'directory');
  const look = (written: string): ReturnType<Neighbours['at']> => {
    const all = folders.map((folder) => {
      const path = resolveFrom(folder, written, home);
      return { path, found: findNow(path, realFolders) };
    });
    return all.find(isThere) ?? all[0] ?? { path: written, found: { type: 'missing' } };
  };
  const at: Neighbours['at'] = (written) => {
    const answer = known.get(written) ?? look(written);
    if (isThere(answer)) known.set(written, answer);
    return answer;
  };
  let spaces: boolean | undefined;
  return {
    at,
    isFile: (written) => isThere(at(written)),
    mayGoOn: (word) => word.includes('/') || word.includes(' ') || (spaces ??= folders.some(holdsSpaces)),
  };
}

function holdsSpaces(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.includes(' '));
  } catch {
    return true;
  }
}
