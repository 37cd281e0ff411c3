/** Processes that are started here, and how they are ended. */
export { commandMark, endTree, type Tree } from './end-tree.js';
