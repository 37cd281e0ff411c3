/** What a repository's own files say without git being run: where its data lies, whether it is bare, where it came from. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { realOf } from '../files/paths.js';

/** The data of the repository that `folder` is the root of: the same for all of its worktrees. Undefined where there is none. */
export function repositoryOf(folder: string): string | undefined {
  try {
    const path = join(folder, '.git');
    if (statSync(path).isDirectory()) return realpathSync.native(path);
    const named = /^gitdir: (.+)$/m.exec(textOf(path) ?? '')?.[1]?.trim();
    if (named === undefined) return undefined;
    const own = resolve(folder, named);
    return realpathSync.native(resolve(own, textOf(join(own, 'commondir'))?.trim() ?? '.'));
  } catch {
    return undefined;
  }
}

/**
 * What stands for the repository that `folder` is a root of, the same from each of its worktrees: the main checkout, or the
 * data of a bare one. A worktree that the repository doesn't know of stands for itself alone, and so does one whose repository
 * says that its checkout is somewhere else: whoever made the folder could point at any place.
 */
export function homeOf(folder: string): string {
  const repository = repositoryOf(folder);
  const named = repository === undefined ? undefined : /^gitdir: (.+)$/m.exec(textOf(join(folder, '.git')) ?? '')?.[1]?.trim();
  if (repository === undefined || named === undefined) return folder;
  const own = realOf(resolve(folder, named));
  const back = textOf(join(own, 'gitdir'))?.trim();
  const isKnown = dirname(own) === join(repository, 'worktrees') && back !== undefined && realOf(dirname(back)) === realOf(folder);
  if (!isKnown) return folder;
  if (basename(repository) === '.git') return dirname(repository);
  const checkout = valueIn(textOf(join(repository, 'config')) ?? '', { section: /^\[core\]/i, key: 'worktree' });
  const main = checkout === undefined ? undefined : realOf(resolve(repository, checkout));
  if (main === undefined) return repository;
  return repositoryOf(main) === repository ? main : folder;
}

/** A bare repository has no checkout of its own: what lies beside it is no one's copy. */
export function isBare(repository: string): boolean {
  return valueIn(textOf(join(repository, 'config')) ?? '', { section: /^\[core\]/i, key: 'bare' }) === 'true';
}

/** The URL of the remote `origin`, in one form whichever way it is written: `host/owner/name`. */
export function originOf(repository: string): string | undefined {
  const url = valueIn(textOf(join(repository, 'config')) ?? '', { section: /^\[remote "origin"\]/i, key: 'url' });
  return url === undefined ? undefined : plainUrl(url);
}

/** `git@host:owner/name.git`, `https://user@host/owner/name/` and `ssh://git@host:22/owner/name` are one place. */
export function plainUrl(url: string): string {
  const rest = url
    .trim()
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const [, host, path] = /^([^:/]+)(?::\d+(?=\/))?[:/]+(.+)$/.exec(rest) ?? [];
  return host === undefined || path === undefined ? rest : `${host.toLowerCase()}/${path}`;
}

function valueIn(config: string, at: { readonly section: RegExp; readonly key: string }): string | undefined {
  let inside = false;
  for (const line of config.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) inside = at.section.test(line);
    const [, key, value] = /^([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (inside && key?.toLowerCase() === at.key) return value;
  }
  return undefined;
}

/** Of a regular file only: a pipe of that name would hold the process for good. */
function textOf(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
