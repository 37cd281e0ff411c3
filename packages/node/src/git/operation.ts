/** What is half done in a repository: a rebase, a merge … git keeps it as files in its folder. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type GitOperation = {
  readonly name: 'rebase' | 'am' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';
  /** The branch it began on, where git notes that. */
  readonly branch?: string;
};

const single = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const;

/** `gitDir` is the git folder of this working tree, not the one that worktrees share. */
export async function operationIn(gitDir: string): Promise<GitOperation | undefined> {
  const text = (name: string) =>
    readFile(join(gitDir, name), 'utf8').then(
      (content) => content.trim(),
      () => undefined,
    );
  const exists = (name: string) =>
    access(join(gitDir, name)).then(
      () => true,
      () => false,
    );
  if (await exists('rebase-merge')) return on('rebase', await text('rebase-merge/head-name'));
  if (await exists('rebase-apply')) {
    return on((await exists('rebase-apply/applying')) ? 'am' : 'rebase', await text('rebase-apply/head-name'));
  }
  for (const [file, name] of single) if (await exists(file)) return { name };
  if (await exists('BISECT_LOG')) return on('bisect', await text('BISECT_START'));
  return undefined;
}

/** A rebase that began without a branch notes the words `detached HEAD`, a bisect then notes a commit. */
function on(name: GitOperation['name'], ref: string | undefined): GitOperation {
  if (ref === undefined || ref === '' || ref === 'detached HEAD' || /^[0-9a-f]{40,64}$/.test(ref)) return { name };
  return { name, branch: ref.replace(/^refs\/heads\//, '') };
}
