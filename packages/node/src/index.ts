export * from './files/index.js';
export * from './instructions/index.js';
export * from './store/index.js';
