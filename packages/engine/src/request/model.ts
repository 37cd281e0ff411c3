/** What the engine knows of models, and what an adapter to one gives back. */
import type { Returned } from '../content/content.js';
import type { AssistantMessage, Delivery, Usage } from '../transcript/records.js';
import type { RequestPlan } from './plan.js';
import type { MessagesBody } from './wire.js';

/** Facts about a model, each with its source and date in `profiles.ts`. */
export interface ModelProfile {
  readonly model: string;
  /** Context window in tokens. */
  readonly window: number;
  /** Most output tokens that are asked for. */
  readonly maxOutput: number;
  /** Shortest prefix in tokens that is cached at all. */
  readonly minimum: number;
  readonly deliveries: readonly Delivery['type'][];
  /**
   * `none`: no thinking. `last-turn`: earlier thinking is dropped once a user message holds more than results.
   * `kept`: all thinking stays. `bound`: kept, and signed over everything before it.
   */
  readonly thinking: 'none' | 'last-turn' | 'kept' | 'bound';
  /** US dollars per million tokens; null when unknown. */
  readonly price: {
    readonly input: number;
    readonly output: number;
    readonly read: number;
    readonly write5m: number;
    readonly write1h: number;
    /** All five rates are `factor` times as high for a request whose prompt, cache included, is longer than `over` tokens. */
    readonly longPrompt?: { readonly over: number; readonly factor: number };
  } | null;
}

export interface ModelAdapter {
  readonly profile: ModelProfile;
  /** Loads what the first request needs, while something else is waited for. Never throws; without it `stream` does so. */
  prepare?(): void;
  stream(plan: RequestPlan, body: MessagesBody, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type ModelEvent =
  /** From here on siblings may read what this request wrote. */
  | { readonly type: 'response-started'; readonly usage: Usage }
  | { readonly type: 'text-delta' | 'thinking-delta' | 'input-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'response-ended'; readonly message: AssistantMessage }
  /** `complete`: the blocks that had ended before the failure. */
  | { readonly type: 'response-failed'; readonly failure: ModelFailure; readonly complete: readonly Returned[] };

export type ModelFailure =
  | { readonly type: 'retry'; readonly afterMs: number | null; readonly status: number | null; readonly message: string }
  | {
      readonly type: 'too-long' | 'signature-refused' | 'system-role-refused' | 'refused' | 'aborted' | 'silent' | 'cut';
      readonly message: string;
    }
  | { readonly type: 'fatal'; readonly message: string; readonly status: number | null };
