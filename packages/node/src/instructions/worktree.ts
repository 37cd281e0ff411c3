/**
 * A linked worktree inside another checkout of its repository: the walk upward meets two copies of each file. The
 * worktree's own copy counts; a file that only the other checkout has stays.
 */
import { join, relative } from 'node:path';
import { isWithin } from '../files/paths.js';
import { lookSync } from '../files/stat.js';
import { isBare, repositoryOf } from './git-folder.js';

export type Checkouts = {
  /** Checkouts of the same repository around `root`, outermost first. */
  readonly around: readonly string[];
  /** Where a path of a checkout around would lie in the worktree, whether or not it is there. */
  own(path: string): string | undefined;
  /** The worktree's copy of a file of a checkout around; undefined when it has none. */
  copyOf(path: string): string | undefined;
};

export function checkoutsAround(root: string, folders: readonly string[]): Checkouts {
  const repository = repositoryOf(root);
  const around =
    repository === undefined || isBare(repository)
      ? []
      : folders.filter((folder) => folder !== root && isWithin(folder, root) && repositoryOf(folder) === repository);
  const own = (path: string): string | undefined => {
    const checkout = isWithin(root, path) ? undefined : around.findLast((folder) => isWithin(folder, path));
    return checkout === undefined ? undefined : join(root, relative(checkout, path));
  };
  return {
    around,
    own,
    copyOf(path) {
      const copy = own(path);
      return copy !== undefined && lookSync(copy).type === 'found' ? copy : undefined;
    },
  };
}
