/** A copy of a repository to work in: a real git worktree, taken away again when nothing was changed in it. */
import { mkdir, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../settings/project-root.js';
import { runGit, type GitPlace } from './run-git.js';

export type WorktreeOptions = {
  /** Inside the repository. */
  readonly cwd: string;
  /** Where the copy goes. One that is there already is taken as it is. */
  readonly folder: string;
  /** Name of the branch that begins there at the current commit. */
  readonly branch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
};

export type Worktree = {
  /** The folder in the copy that `cwd` is in the original. */
  readonly cwd: string;
  /** Removes the copy and its branch when nothing was changed or committed there; else both stay. */
  close(): Promise<'removed' | 'kept'>;
};

export type WorktreeResult = { readonly type: 'open'; readonly worktree: Worktree } | { readonly type: 'failed'; readonly why: string };

/** A worktree at the current commit; what is not committed in the original is not in it. Nobody's hooks run. */
export async function openWorktree({ cwd, folder, branch, env, signal }: WorktreeOptions): Promise<WorktreeResult> {
  const root = await projectRoot(cwd);
  const place: GitPlace = { cwd: root, env, signal, settings: [['core.hooksPath', '/dev/null']] };
  const base = await output(place, ['rev-parse', '--verify', 'HEAD']);
  if (base === undefined) return { type: 'failed', why: `${cwd} is in no repository with a commit` };
  const isThere = (await stat(join(folder, '.git')).catch(() => undefined)) !== undefined;
  if (!isThere) {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    const made = await runGit(place, ['worktree', 'add', '-B', branch, folder, base]);
    if (made.type !== 'ended' || !made.ok) return { type: 'failed', why: whyOf(made) };
  }
  const inside = { ...place, cwd: folder, signal: new AbortController().signal };
  return {
    type: 'open',
    worktree: {
      cwd: join(folder, relative(root, await realpath(cwd).catch(() => root))),
      async close() {
        const head = await output(inside, ['rev-parse', 'HEAD']);
        const status = await output(inside, ['status', '--porcelain', '--untracked-files=normal']);
        // What can't be asked may hold work.
        const quiet = { ...place, signal: inside.signal };
        if (head === undefined || status !== '' || !(await isKnown(quiet, head, branch))) return 'kept';
        const removed = await runGit(quiet, ['worktree', 'remove', folder]);
        if (removed.type !== 'ended' || !removed.ok) return 'kept';
        await runGit(quiet, ['branch', '-D', branch]);
        await rmdir(dirname(folder)).catch(() => undefined);
        return 'removed';
      },
    },
  };
}

/** True when another branch has this commit: nothing was committed in the copy. */
async function isKnown(place: GitPlace, commit: string, branch: string): Promise<boolean> {
  const branches = await output(place, ['branch', '--all', '--contains', commit, '--format=%(refname:short)']);
  if (branches?.split('\n').some((name) => name !== '' && name !== branch)) return true;
  return (await output(place, ['rev-parse', 'HEAD'])) === commit;
}

async function output(place: GitPlace, args: readonly string[]): Promise<string | undefined> {
  const result = await runGit(place, args);
  return result.type === 'ended' && result.ok ? result.stdout.trim() : undefined;
}

function whyOf(result: Awaited<ReturnType<typeof runGit>>): string {
  if (result.type === 'ended') return result.stderr.trim().split('\n').at(-1) ?? 'git failed';
  return result.type === 'cut' ? 'it was stopped' : result.why;
}
