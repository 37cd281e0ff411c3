/** Memories: where they lie, what of them is told, what is recalled for a prompt, what may be written. */
export { memoryPlaces, objectionToFolder, type MemoryFolder, type MemoryPlaces } from './places.js';
export { memoryIndexes } from './indexes.js';
export { memoryRecall, type MemoryChooser, type MemoryRecall, type RecallOptions } from './recall.js';
export { explainMemories } from './stored.js';
export { judgeMemory, type MemoryVerdict } from './guard.js';
