/** The agent: a loop over the public `Thread`, as an async generator of events. */
import type { Id, ModelAdapter, Ports, PromptInput, Session, Thread } from '@sidenote/engine';
import type { Ask } from '../permissions/ask.js';
import type { Permissions } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import type { AgentEvent } from './events.js';
import type { Hooks, RunningHooks } from './hooks.js';
import type { SpendingLimit } from './limit.js';

export type AgentOptions = {
  readonly session: Session;
  /** Adapter for a model name; asked again after `/model`. */
  readonly adapter: (model: string) => ModelAdapter;
  readonly tools: readonly AnyTool[];
  /** Tools that the model is not offered in the request, by the name under which it may call them all the same. Default: none. */
  readonly laterTools?: (name: string) => AnyTool | undefined;
  readonly permissions: Permissions;
  readonly ask?: Ask;
  /** Programs of the person that run when something happens. Default: none. */
  readonly hooks?: Hooks;
  readonly clock: Ports['clock'];
  /** From 0 to 1, for the spread of retries. Default `Math.random`. */
  readonly random?: () => number;
  /**
   * The model that steps in when another one declines or, after three attempts, does not answer; it stays until the person
   * chooses one. Default: none.
   */
  readonly fallbackModel?: string;
  /** Model responses per prompt; default: no limit. */
  readonly maxSteps?: number;
  readonly compaction?: CompactionPolicy;
  /** Ends a turn where the session has taken what it may. Default: no limit. */
  readonly limit?: SpendingLimit;
};

export type CompactionPolicy = {
  /** Compact a window that is nearly full without being asked. Default true. What a provider refuses as too long is compacted in any case. */
  readonly auto?: boolean;
  /** Percent of the window at which that happens; it can only lower what leaves room for the answer. */
  readonly percent?: number;
};

/** A thread, and what runs on it. */
export type TurnOptions = Omit<AgentOptions, 'session'> & {
  /** Where the thread belongs: its blobs, its notices. */
  readonly session: Session;
  readonly thread: Thread;
  /** Hooks of the thread's start, whose text stands before the first prompt. */
  readonly starting?: RunningHooks | undefined;
};

/** How a session began, or its newest window; and why it ended. */
export type SessionSource = 'startup' | 'resume' | 'fork' | 'clear' | 'compact';
export type SessionEnding = 'clear' | 'resume' | 'prompt_input_exit' | 'other';

export interface Agent {
  readonly session: Session;
  readonly permissions: Permissions;
  /** Runs the hooks of the session's start; the next turn waits for them. Call it at most once. */
  start(source: SessionSource): void;
  /** Runs the hooks of its end, in the short time that they have. Gives lines for the person: no turn is there to tell them. */
  end(why: SessionEnding): Promise<readonly string[]>;
  /** One prompt to its end. Only one run at a time. */
  run(input: PromptInput | string): AsyncGenerator<AgentEvent, void, void>;
  /**
   * A turn of its own for notices that ask for one. Null while a turn runs, when nothing waits, or after eight such turns
   * without a person's words.
   */
  wake(): AsyncGenerator<AgentEvent, void, void> | null;
  /**
   * Puts a summary in the place of the conversation, the newest messages aside; `wishes` say what it should hold. Like a run:
   * one at a time, and an interrupt leaves everything as it was. The last event is `compaction-ended`.
   */
  compact(wishes?: string): AsyncGenerator<AgentEvent, void, void>;
  /** Words typed while it works; their id in the queue (`Thread.steered`, `Thread.withdraw`). */
  steer(words: string): Promise<Id>;
  /** Ends the running turn; resolves when the session is idle again. */
  interrupt(why: string): Promise<void>;
}
