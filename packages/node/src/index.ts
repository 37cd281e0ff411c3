export * from './files/index.js';
export * from './instructions/index.js';
export * from './store/index.js';
export * from './clock/index.js';
export * from './git/index.js';
export * from './context/index.js';
export * from './ports/index.js';
export * from './settings/index.js';
