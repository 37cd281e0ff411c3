/** Files that a repository's newest commit does not hold: new ones, and old ones under another name. */
import { join } from 'node:path';
import { runGit, type GitPlace } from './run-git.js';

/** Bytes of one listing. What is longer is no rename of a few files. */
const LONGEST = 256 * 1024;

/** Neither runs a filter: no content is looked at. */
const LISTINGS = [
  ['ls-files', '--others', '--exclude-standard', '-z'],
  ['diff', '--cached', '--name-only', '--diff-filter=A', '--no-renames', '--no-ext-diff', '-z'],
] as const;

/** Absolute paths, those that are ignored left out. `cwd` of the place: the root of a working tree. Empty where git does not tell. Never rejects. */
export async function newFiles(place: GitPlace): Promise<readonly string[]> {
  const listed = await Promise.all(LISTINGS.map((args) => runGit(place, args, LONGEST)));
  const names = listed.flatMap((output) => (output.type === 'ended' && output.ok ? output.stdout.split('\0') : []));
  // A repository inside is listed as a folder.
  return names.filter((name) => name !== '' && !name.endsWith('/')).map((name) => join(place.cwd, name));
}
