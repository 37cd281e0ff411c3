export * from './files/index.js';
