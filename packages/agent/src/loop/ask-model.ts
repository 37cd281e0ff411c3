/** Sends one request, with retries, and tells what comes back as events; what an interrupt cuts off is kept as far as it was whole. */
import type { AssistantMessage, ModelFailure, Returned, Step, Usage } from '@sidenote/engine';
import { withRetries } from '../models/retry.js';
import type { TurnOptions } from './agent.js';
import type { AgentEvent } from './events.js';
import { count, type Tally } from './tally.js';
import { costOf, NO_USAGE } from './usage.js';

export type Answered =
  | { readonly message: AssistantMessage }
  | { readonly stopped: 'interrupted' | 'failed'; readonly text: string; readonly failure?: ModelFailure };

export type AskOptions = Pick<TurnOptions, 'adapter' | 'clock' | 'random' | 'fallbackModel' | 'thread'> & {
  readonly signal: AbortSignal;
  readonly tally: Tally;
};

/** Attempts before another model steps in. */
const FEW = 3;

export async function* askModel({ plan, request }: Step, options: AskOptions): AsyncGenerator<AgentEvent, Answered, void> {
  const { signal, tally, clock } = options;
  const adapter = options.adapter(request.model);
  const started = clock.now();
  const fallback = fallbackOf(options);
  let usage: Usage = NO_USAGE;
  yield { type: 'request-started', plan };
  try {
    for await (const event of withRetries({
      adapter,
      plan,
      body: request,
      signal,
      clock,
      random: options.random ?? Math.random,
      ...(fallback === undefined || fallback === request.model ? {} : { attempts: FEW }),
    })) {
      switch (event.type) {
        case 'response-started':
          usage = event.usage;
          yield event;
          break;
        case 'text-delta':
        case 'thinking-delta':
          yield { type: event.type, text: event.text };
          break;
        case 'input-delta':
          break;
        case 'retry-scheduled':
        case 'response-dropped':
          yield event;
          break;
        case 'response-ended':
          count(tally, event.message.usage, costOf(event.message.usage, adapter.profile, plan.marks.at(-1)?.ttl ?? '5m'));
          return { message: event.message };
        case 'response-failed':
          return yield* failed({ failure: event.failure, complete: event.complete, usage, model: request.model, id: plan.id }, options);
      }
    }
    return { stopped: 'failed', text: 'The model ended its answer without a word.' };
  } finally {
    tally.apiMs += clock.now() - started;
  }
}

type Failed = {
  readonly failure: ModelFailure;
  readonly complete: readonly Returned[];
  readonly usage: Usage;
  readonly model: string;
  readonly id: string;
};

async function* failed(
  { failure, complete, usage, model, id }: Failed,
  { signal, tally, thread }: AskOptions,
): AsyncGenerator<AgentEvent, Answered, void> {
  if (!signal.aborted) return { stopped: 'failed', text: failure.message, failure };
  // What had ended before the interrupt stays, if it is something that can be sent back.
  const keeps = complete.some((block) => block.type === 'text' || block.type === 'tool_use');
  yield { type: 'response-dropped', why: keeps ? 'what was not finished is not kept' : 'nothing was finished' };
  if (keeps) {
    count(tally, usage, null);
    await thread.response({ id: `interrupted-${id}`, model, content: complete, stop_reason: null, usage });
  }
  return interrupted(signal);
}

/** The model that steps in, if it could: one without a key or a server can't. */
export function fallbackOf({ adapter, fallbackModel }: Pick<TurnOptions, 'adapter' | 'fallbackModel'>): string | undefined {
  if (fallbackModel === undefined) return undefined;
  try {
    adapter(fallbackModel);
    return fallbackModel;
  } catch {
    return undefined;
  }
}

/** Why someone stopped it. */
export const whyOf = (signal: AbortSignal): string => (typeof signal.reason === 'string' ? signal.reason : 'interrupted');
export const interrupted = (signal: AbortSignal): Answered => ({ stopped: 'interrupted', text: whyOf(signal) });
/** The words of an answer. */
export const textOf = (content: readonly Returned[]): string =>
  content.flatMap((block) => (block.type === 'text' && 'text' in block && typeof block.text === 'string' ? [block.text] : [])).join('');
