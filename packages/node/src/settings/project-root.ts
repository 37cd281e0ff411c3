/** The folder that answers and settings of a project belong to. */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Real path of the nearest folder that is a repository (or a worktree or submodule), else of `cwd` itself. */
export async function projectRoot(cwd: string): Promise<string> {
  const start = await realpath(cwd).catch(() => resolve(cwd));
  for (let folder = start; ; folder = dirname(folder)) {
    const found = await lstat(join(folder, '.git')).catch(() => undefined);
    if (found !== undefined) return folder;
    if (dirname(folder) === folder) return start;
  }
}
