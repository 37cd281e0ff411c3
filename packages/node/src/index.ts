export * from './files/index.js';
export * from './store/index.js';
