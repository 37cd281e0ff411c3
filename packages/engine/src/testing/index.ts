/** The public test kit: what an embedder's tests need to run a session without a disk, a clock or a model. */
export * from './answers.js';
export * from './fake-clock.js';
export * from './laws.js';
export * from './layout.js';
export * from './memory-store.js';
export * from './png.js';
export * from './test-ports.js';
