/** A linked worktree inside its own repository's main checkout: the walk upward meets both copies of each file. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { isWithin } from '../files/paths.js';

/** For a file of the main checkout, the worktree's own copy of it; undefined when it has none. */
export type Counterpart = (path: string) => Promise<string | undefined>;

export async function worktreeCopies(root: string): Promise<Counterpart> {
  const main = await mainCheckout(root);
  if (main === undefined || main === root || !isWithin(main, root)) return () => Promise.resolve(undefined);
  return async (path) => {
    if (!isWithin(main, path) || isWithin(root, path)) return undefined;
    const copy = join(root, relative(main, path));
    return (await stat(copy).catch(() => undefined)) === undefined ? undefined : copy;
  };
}

/** `.git` of a linked worktree is a file that names `<main>/.git/worktrees/<name>`. */
async function mainCheckout(root: string): Promise<string | undefined> {
  try {
    const file = join(root, '.git');
    if (!(await stat(file)).isFile()) return undefined;
    const gitFolder = /^gitdir: (.+)$/m.exec(await readFile(file, 'utf8'))?.[1]?.trim();
    if (gitFolder === undefined) return undefined;
    const worktrees = dirname(resolve(root, gitFolder));
    return worktrees.endsWith('/.git/worktrees') ? await realpath(dirname(dirname(worktrees))) : undefined;
  } catch {
    return undefined;
  }
}
