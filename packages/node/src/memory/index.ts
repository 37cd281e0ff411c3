/** Memories: where they lie, what of them is told, what is recalled for a prompt, what may be written. */
export {
  agentMemoryFolder,
  memoryPlaces,
  objectionToFolder,
  staysWithin,
  type AgentMemoryScope,
  type MemoryFolder,
  type MemoryPlaces,
} from './places.js';
export { memoryIndex, memoryIndexes, withMemoryIndexes } from './indexes.js';
export { memoryRecall, type MemoryChooser, type MemoryRecall, type RecallOptions } from './recall.js';
export { explainMemories } from './stored.js';
export { judgeMemory, type MemoryVerdict } from './guard.js';
