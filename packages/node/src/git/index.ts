/** Git, read only. */
export { gitSnapshot } from './git-snapshot.js';
export { isIgnored } from './ignored.js';
export { openWorktree, type Worktree, type WorktreeOptions, type WorktreeResult } from './worktree.js';
