/** The files of the repository as git knows them: tracked ones, and new ones that it doesn't ignore. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} base Root of the repository.
 * @returns {string[]} Paths relative to the root; links are left out.
 */
export function trackedFiles(base) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: base,
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '' && lstatSync(join(base, path), { throwIfNoEntry: false })?.isFile());
}

/** @param {string} base @param {string} path @returns {string | null} Null for files that hold no text. */
export function readText(base, path) {
  const bytes = readFileSync(join(base, path));
  return bytes.includes(0) ? null : bytes.toString('utf8');
}
