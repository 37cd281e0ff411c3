/** Path patterns of rules like `Read(src/**)`: gitignore syntax, anchored by how the pattern begins. */
import path from 'node:path';
import ignore from 'ignore';
import { isWithin } from './places.js';

export type PathPattern = { matches(file: string): boolean };

/** `//x` from the file system's root, `~/x` from home, `/x` from the settings' project, `./x` and `x` from cwd. */
function anchor(pattern: string, where: { readonly cwd: string; readonly home: string; readonly base: string }) {
  if (pattern.startsWith('//')) return { root: path.parse(where.cwd).root, rest: pattern.slice(1), anywhere: false };
  if (pattern === '~' || pattern.startsWith('~/')) return { root: where.home, rest: pattern.slice(1) || '/**', anywhere: false };
  if (pattern.startsWith('/')) return { root: where.base, rest: pattern, anywhere: false };
  if (pattern === '.' || pattern === './') return { root: where.cwd, rest: '/**', anywhere: false };
  if (pattern.startsWith('./')) return { root: where.cwd, rest: pattern.slice(1), anywhere: false };
  return { root: where.cwd, rest: pattern, anywhere: true };
}

/**
 * `strict` patterns only grant what they name. Others (of deny and ask rules) also hold at any depth when they begin with a
 * plain name, and whatever the case of the letters.
 */
export function pathPattern(
  pattern: string,
  where: { readonly cwd: string; readonly home: string; readonly base: string },
  how: { readonly strict: boolean },
): PathPattern | null {
  if (pattern === '' || pattern.startsWith('!') || pattern.includes('\0')) return null;
  const { root, rest, anywhere } = anchor(pattern, where);
  const lines = anywhere && !how.strict && !rest.startsWith('**/') ? [rest, `**/${rest}`] : [rest];
  const matcher = ignore({ ignorecase: !how.strict }).add(lines.map((line) => line.replace(/^#/, '\\#')));
  return {
    matches: (file) => {
      if (!isWithin(root, file)) return false;
      const relative = path.relative(root, file).split(path.sep).join('/');
      // The root itself: only a pattern for everything holds it.
      if (relative === '') return rest === '/**' || rest === '**' || rest === '/';
      return matcher.ignores(relative);
    },
  };
}

/** A pattern for exactly this path. */
export function exactly(file: string): string {
  return `/${file
    .split(path.sep)
    .join('/')
    .replace(/[\\*?[\]!#]/g, '\\$&')
    .replace(/ $/, '\\ ')}`;
}
