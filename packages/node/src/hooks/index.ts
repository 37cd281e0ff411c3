/** Hooks of settings: read, matched, run. */
export type * from './contract.js';
export { createHooks, type HookAgent, type HooksOptions, type LocalHooks } from './create-hooks.js';
export { HOOK_EVENTS, type HookEventName } from './events.js';
export { NO_OUTCOME } from './merge-outcomes.js';
export { ownHooksOf, readOwnHooks, type OwnHooks } from './own-hooks.js';
export { handlerName } from './read-handler.js';
export type { HookToolAnswer, HookToolCall } from './run-mcp-hook.js';
export type { HookJudge } from './run-prompt-hook.js';
export { currentToolName } from './tool-names.js';
export { readHooks, type ConfiguredHook, type ReadHooks } from './read-hooks.js';
