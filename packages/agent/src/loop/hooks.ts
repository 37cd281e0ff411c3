/** Hooks as the loop needs them: run at an event, and what they say put where it belongs. */
import type { Json, Thread } from '@sidenote/engine';
import type { HookCall, HookOutcome, HookRunning, HookSaid, OwnHooks } from '@sidenote/node';
import { Channel } from './channel.js';
import type { AgentEvent } from './events.js';

/** `createHooks` of `@sidenote/node` is one; so is any object of an embedder's own. */
export interface Hooks {
  /** Never rejects. What is waited for has a limit of its own. */
  run(call: HookCall, how?: HookRunning): Promise<HookOutcome>;
  /** The same beside the work: nobody waits for it. */
  post(call: HookCall): void;
  /** For a sub-agent: its hooks are told who it is, and those that its definition brings run with them. Default: these ones. */
  forAgent?(agent: HookedAgent): Hooks;
  /** True while there are none to run: then they are not even told what happens. Default: false. */
  isIdle?(): boolean;
}

export type HookedAgent = {
  /** Of its thread. */
  readonly id: string;
  readonly type: string;
  readonly own?: readonly OwnHooks[];
  /** Where it works, and its hooks run. Absolute; default: where the session does. */
  readonly cwd?: string;
};

/** Whether anything would run. */
export function areLive(hooks: Hooks | undefined): hooks is Hooks {
  return hooks !== undefined && hooks.isIdle?.() !== true;
}

/** Hooks that are running, with what a person should know of them meanwhile. */
export type RunningHooks = {
  readonly events: AsyncIterable<AgentEvent>;
  readonly outcome: Promise<HookOutcome>;
  /** They are ended, and say nothing. */
  abort(): void;
};

type Emit = (event: AgentEvent) => void;

/** Runs the hooks of an event; what a person should know is emitted. */
export async function runHooks(
  hooks: Hooks,
  call: HookCall,
  { signal, emit }: { readonly signal: AbortSignal; readonly emit: Emit },
): Promise<HookOutcome> {
  const outcome = await hooks.run(call, { signal, waiting: (text) => emit({ type: 'notice', level: 'warning', text }) });
  for (const note of outcome.notes) emit({ type: 'notice', ...note });
  return outcome;
}

/** Starts the hooks of an event; whoever needs what they say takes it later. */
export function startHooks(hooks: Hooks, call: HookCall): RunningHooks {
  const abort = new AbortController();
  const events = new Channel<AgentEvent>();
  const outcome = runHooks(hooks, call, { signal: abort.signal, emit: (event) => events.push(event) }).finally(() => events.end());
  outcome.catch(() => undefined);
  return { events, outcome, abort: () => abort.abort() };
}

/** Waits for them, as long as nobody interrupts. */
export async function* takeHooks(running: RunningHooks, signal: AbortSignal): AsyncGenerator<AgentEvent, HookOutcome, void> {
  if (signal.aborted) running.abort();
  const abort = (): void => running.abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    yield* running.events;
    return await running.outcome;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Text that hooks add goes out with the next message of the thread, or inside the result of a call. */
export function tellTexts(thread: Thread, { texts }: HookOutcome, call?: string): void {
  for (const { kind, ...said } of texts) thread.attach(kind, said, call);
}

/** So do their objections. */
export function tellBlocks(thread: Thread, { blocks }: HookOutcome, call?: string): void {
  for (const said of blocks) thread.attach('hook_blocking_error', said, call);
}

/** For a person. */
export const stoppedBy = ({ hook, text }: HookSaid): string => `The hook ${hook} ended the turn: ${text}`;

/** A value as hooks are given it: JSON, whatever a model sent. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json;
