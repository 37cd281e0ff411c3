/** The folder for memories: its texts are written without a question, and no link leads a write out of it. */
import path from 'node:path';
import { isWithin, type Place } from './places.js';

/** `link`: it is written as if it lay in the folder, and leads elsewhere. */
export type MemoryStanding = 'inside' | 'link' | 'outside';

/** Where a path stands to the folder. Only markdown counts as a memory, and nothing hidden does. */
export function standingIn(folder: Place, place: Place): MemoryStanding {
  const roots = [folder.lexical, ...(folder.real === null ? [] : [folder.real])];
  const root = roots.find((one) => isWithin(one, place.lexical));
  if (root === undefined) return 'outside';
  if (place.real === null || folder.real === null || !isWithin(folder.real, place.real)) return 'link';
  const names = [path.relative(root, place.lexical), path.relative(folder.real, place.real)];
  return names.every((name) => /\.md$/i.test(name) && !/(^|\/)\./.test(name)) ? 'inside' : 'outside';
}
