/** Whether git leaves a file out of the repository: what nobody is to commit, nobody is to send unasked. */
import { dirname } from 'node:path';
import { runGit } from './run-git.js';

/** Undefined when git did not answer. A file outside a repository is not ignored; one that is tracked isn't either. */
export async function isIgnored(
  path: string,
  { env, signal }: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal: AbortSignal },
): Promise<boolean | undefined> {
  const output = await runGit({ cwd: dirname(path), env, signal }, ['check-ignore', '--quiet', '--', path]);
  if (output.type === 'not-started') return false;
  return output.type === 'ended' ? output.ok : undefined;
}
