/** Instruction files: found, read, rendered, each with a status and a reason. */
export { explainInstructions, type ExplainedFile } from './explain.js';
export { instructionFiles } from './instruction-files.js';
export { nestedInstructions } from './nested.js';
export { renderInstructions, type Rendered } from './render.js';
export type { Exclude, InstructionOptions } from './options.js';
