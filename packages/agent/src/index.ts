export type * from './loop/agent.js';
export type * from './loop/events.js';
export * from './loop/create-agent.js';
export * from './loop/errors.js';
export type * from './permissions/contract.js';
export type * from './tools/tool.js';
export * from './prompt/default-prompt.js';
