/** Globs as models write them, made to match the relative paths of a listing. */
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { globReadings } from '@sidenote/node';
import picomatch from 'picomatch';

/** Where to look, and which of the files below it match. */
export type GlobSearch = { readonly folder: string; readonly matches: (file: string) => boolean };

/**
 * `*.ts` matches at any depth, `src/` everything below `src`; a pattern that begins with a plain path
 * (`/abs/lib/**`, `../lib/*.ts`) moves the search there.
 */
export function globSearch(pattern: string, folder: string): GlobSearch {
  if (!isAbsolute(pattern) && !/^(\.\/)*\.\.(\/|$)/.test(pattern)) return { folder, matches: globFilter(pattern) };
  const { base, glob } = picomatch.scan(pattern);
  const start = resolve(folder, base);
  // A plain path: one file, looked for in its folder.
  return glob === ''
    ? { folder: dirname(start), matches: (file) => file === basename(start) }
    : { folder: start, matches: matcher(`./${glob}`) };
}

/** Whether a relative path matches one of comma-separated globs; those that begin with `!` exclude. */
export function globFilter(patterns: string): (file: string) => boolean {
  const parts = splitList(patterns);
  const positive = parts.filter((part) => !part.startsWith('!')).map(matcher);
  const negative = parts.filter((part) => part.startsWith('!')).map((part) => matcher(part.slice(1)));
  return (file) => (positive.length === 0 || positive.some((test) => test(file))) && !negative.some((test) => test(file));
}

function matcher(pattern: string): (file: string) => boolean {
  const anywhere = pattern.includes('/') ? pattern : `**/${pattern}`;
  const whole = anywhere.endsWith('/') ? `${anywhere}**` : anywhere;
  const tests = globReadings(whole.replace(/^(\.?\/)+/, '')).map((reading) => picomatch(reading, { dot: true }));
  // Called with one argument only: a second one changes what picomatch gives back.
  return (file) => tests.some((test) => test(file));
}

/** Commas inside braces belong to the glob. */
function splitList(patterns: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of patterns) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth <= 0) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
