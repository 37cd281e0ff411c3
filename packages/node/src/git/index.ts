/** Git, read only. */
export { gitSnapshot } from './git-snapshot.js';
