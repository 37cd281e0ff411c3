/** Asking the person about a call, and what the person answers. */
import type { ToolCall } from '@sidenote/engine';

export type PermissionRequest = {
  readonly call: ToolCall;
  readonly title: string;
  readonly why: string;
  readonly rules: readonly string[];
};
/** `deny` may carry a word to the model. `input`: the person has changed the call; it is run with this, and the model is told. */
export type PermissionAnswer =
  | { readonly type: 'once'; readonly input?: unknown }
  | { readonly type: 'session' }
  | { readonly type: 'deny'; readonly words?: string };
/** Asks the person. Absent in headless runs: what would be asked is denied. */
export type Ask = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
