/** Hooks as the loop needs them: run at an event, and what they say put where it belongs. */
import type { Session, Thread } from '@sidenote/engine';
import type { HookCall, HookOutcome, HookRunning, HookSaid } from '@sidenote/node';
import type { AgentEvent } from './events.js';
import { Channel } from './channel.js';

/** `createHooks` of `@sidenote/node` is one; so is any object of an embedder's own. */
export interface Hooks {
  /** Never rejects. What is waited for has a limit of its own. */
  run(call: HookCall, how?: HookRunning): Promise<HookOutcome>;
  /** The same beside the work: nobody waits for it. */
  post(call: HookCall): void;
}

type Emit = (event: AgentEvent) => void;

/** Runs the hooks of an event; what a person should know is emitted. Undefined: there are no hooks. */
export async function runHooks(
  hooks: Hooks | undefined,
  call: HookCall,
  { signal, emit }: { readonly signal: AbortSignal; readonly emit: Emit },
): Promise<HookOutcome | undefined> {
  if (hooks === undefined) return undefined;
  const outcome = await hooks.run(call, { signal, waiting: (text) => emit({ type: 'notice', level: 'warning', text }) });
  for (const note of outcome.notes) emit({ type: 'notice', ...note });
  return outcome;
}

/** The same in a generator of events. */
export async function* hookEvents(
  hooks: Hooks | undefined,
  call: HookCall,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, HookOutcome | undefined, void> {
  if (hooks === undefined) return undefined;
  const events = new Channel<AgentEvent>();
  const running = runHooks(hooks, call, { signal, emit: (event) => events.push(event) }).finally(() => events.end());
  yield* events;
  return running;
}

/** Text that hooks add goes out with the next message of the thread, or inside the result of a call. */
export function tellTexts(thread: Thread, { texts }: HookOutcome, call?: string): void {
  for (const { kind, ...said } of texts) thread.attach(kind, said, call);
}

/** So do their objections. */
export function tellBlocks(thread: Thread, { blocks }: HookOutcome, call?: string): void {
  for (const said of blocks) thread.attach('hook_blocking_error', said, call);
}

/** A turn that a hook has ended: the model is told with the next words. */
export function tellStop(thread: Thread, stop: HookSaid): void {
  thread.attach('hook_stopped', stop);
}

/** For a person. */
export const stopText = ({ hook, text }: HookSaid): string => `Stopped by the hook ${hook}: ${text}`;

/** Whether a thread is the one that a person talks to. */
export const isMain = ({ session, thread }: { readonly session: Session; readonly thread: Thread }): boolean => thread === session.main;
