/** Globs of excludes and scoped files. The matcher is loaded when there is a glob. */
import { isAbsolute, relative } from 'node:path';

/** Tells which absolute paths one of the globs names. An invalid glob names nothing. */
export async function excludedBy(globs: readonly string[]): Promise<(path: string) => boolean> {
  if (globs.length === 0) return () => false;
  const tests = await testsOf(globs);
  return (path) => tests.some(({ test }) => test(path));
}

/** The glob that a touched path matches, of a file whose globs are relative to `base`; undefined when none does. */
export async function matchingGlob(
  scoped: { readonly globs: readonly string[]; readonly base: string },
  path: string,
): Promise<string | undefined> {
  const inside = relative(scoped.base, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  return (await testsOf(scoped.globs)).find(({ test }) => test(inside))?.glob;
}

async function testsOf(globs: readonly string[]): Promise<readonly { readonly glob: string; test(path: string): boolean }[]> {
  const { default: picomatch } = await import('picomatch');
  return globs.flatMap((glob) => {
    try {
      const test = picomatch(normal(glob), { dot: true });
      return [{ glob, test: (path: string) => test(path) }];
    } catch {
      return [];
    }
  });
}

/** `./src/` means all that lies in `src`. */
function normal(glob: string): string {
  const plain = glob.replace(/^\.\//, '');
  return plain.endsWith('/') ? `${plain}**` : plain;
}
