/** Globs of excludes and scoped files. The matcher is loaded when there is a glob. */
import { homedir } from 'node:os';
import { isAbsolute, join, relative, sep } from 'node:path';
import { globReadings } from '../files/glob-readings.js';
import { isWithin } from '../files/paths.js';
import type { Exclude } from './options.js';

type Test = { readonly glob: string; readonly negative: boolean; test(path: string): boolean };

/** Finds the exclude that names one of some paths, absolute or as they are named from a project. An invalid glob names nothing. */
export async function excludedBy(
  excludes: readonly (string | Exclude)[],
  home: string = homedir(),
): Promise<(paths: readonly string[]) => Exclude | undefined> {
  if (excludes.length === 0) return () => undefined;
  const list = excludes.map((exclude) => (typeof exclude === 'string' ? { glob: exclude } : exclude));
  const tests = await testsOf(list.map(({ glob }) => (glob.startsWith('~/') ? join(home, glob.slice(2)) : glob)));
  const named = (at: number, paths: readonly string[]): boolean => paths.some((path) => tests[at]?.test(slashes(path)) === true);
  return (paths) => list.find((_, at) => named(at, paths));
}

/**
 * Finds the glob that one of some absolute paths matches. Globs are relative to each of `bases`, and say nothing of what lies
 * in a base around the first but beside that; `~/…` and absolute ones mean what they say; a name without a slash is looked for in every folder; `!…` takes away again.
 */
export async function scopeTest(scope: {
  readonly globs: readonly string[];
  readonly bases: readonly string[];
  readonly home: string;
}): Promise<(path: string) => string | undefined> {
  const { bases, home } = scope;
  const tests = await testsOf(scope.globs.map((glob) => (glob.startsWith('~/') ? join(home, glob.slice(2)) : glob)));
  const wanted = tests.filter(({ negative }) => !negative);
  const taken = tests.filter(({ negative }) => negative);
  const everything = wanted.length === 0 ? taken[0]?.glob : undefined;
  return (path) => {
    for (const base of bases) {
      if (bases[0] !== undefined && bases[0] !== base && isWithin(base, bases[0]) && !isWithin(bases[0], path)) continue;
      const inside = relative(base, path);
      const isInside = inside !== '' && !isAbsolute(inside) && inside.split(sep)[0] !== '..';
      const names = [...(isInside ? [slashes(inside), `/${slashes(inside)}`] : []), slashes(path)];
      const matches = ({ test }: Test): boolean => names.some(test);
      const glob = wanted.find(matches)?.glob ?? (isInside ? everything : undefined);
      if (glob !== undefined && !taken.some(matches)) return glob;
    }
    return undefined;
  };
}

async function testsOf(globs: readonly string[]): Promise<readonly Test[]> {
  if (globs.length === 0) return [];
  const { default: picomatch } = await import('picomatch');
  const options = { dot: true, nocase: process.platform === 'win32' };
  return globs.map((glob) => {
    const negative = glob.startsWith('!');
    const forms = formsOf(negative ? glob.slice(1) : glob).flatMap((form) => {
      if (takesForever(form)) return [];
      try {
        return [picomatch(form, options)];
      } catch {
        return [];
      }
    });
    return { glob, negative, test: (path: string) => forms.some((form) => form(path)) };
  });
}

/** Stars in one part of a path, and parts that are `**`: each more multiplies the ways in which a long name can fail to match. */
const MOST_STARS = 4;
const MOST_DEEP = 8;

/** A hostile glob must not hold the process: as one that can't be read, it matches nothing. */
function takesForever(glob: string): boolean {
  const parts = glob.split('/');
  const stars = parts.map((part) => (part === '**' ? 0 : (part.match(/\*+/g) ?? []).length));
  const isDeep = parts.filter((part) => part === '**').length > MOST_DEEP;
  return isDeep || stars.some((count) => count > MOST_STARS) || /[+*]\([^)]*[|*+?]/.test(glob);
}

/** `./src` and `src/` mean all that lies there, `*.ts` and `src` whatever is called so in any folder. */
function formsOf(glob: string): readonly string[] {
  const plain = glob.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  const placed = plain.includes('/') || plain === '' || glob.startsWith('./') ? plain : `**/${plain}`;
  const forms = /[*?{|]/.test(plain.split('/').at(-1) ?? '') && !glob.endsWith('/') ? [placed] : [placed, `${placed}/**`];
  return forms.flatMap(globReadings);
}

function slashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}
