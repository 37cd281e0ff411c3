/** Hooks to test a loop with: every call is kept, and answered from a table. */
import { NO_OUTCOME, type HookCall, type HookOutcome, type HookSaid } from '@sidenote/node';
import type { Hooks } from './hooks.js';

export type Answers = Partial<Record<HookCall['event'], (call: HookCall) => Partial<HookOutcome> | undefined>>;

export function recordedHooks(answers: Answers = {}): {
  readonly hooks: Hooks;
  readonly calls: readonly HookCall[];
  readonly posted: readonly HookCall[];
} {
  const calls: HookCall[] = [];
  const posted: HookCall[] = [];
  const hooks: Hooks = {
    async run(call) {
      calls.push(call);
      return { ...NO_OUTCOME, ...answers[call.event]?.(call) };
    },
    post: (call) => void posted.push(call),
  };
  return { hooks, calls, posted };
}

export const said = (event: string, text: string): HookSaid => ({ event, hook: event, text });
export const adds = (event: string, text: string): Pick<HookOutcome, 'texts'> => ({
  texts: [{ ...said(event, text), kind: 'hook_additional_context' }],
});
