/** What a machine has to tell, for people without a session. */
export * from './context.js';
