/** How a stream ended, told the same way by every adapter. */
import type { AssistantMessage, ModelEvent, ModelFailure, Returned } from '@sidenote/engine';
import type { Watch } from './watch.js';

/** Reasons to stop under which an answer without content is an answer all the same. */
const silentReasons = new Set(['refusal', 'pause_turn', 'max_tokens', 'model_context_window_exceeded', 'stop_sequence', 'compaction']);

type Ending = {
  readonly watch: Pick<Watch, 'cause' | 'contentType'>;
  /** The whole answer, or null when its end never came. */
  readonly message: AssistantMessage | null;
  readonly complete: readonly Returned[];
  readonly started: boolean;
  readonly idleMs: number;
  /** What was thrown, in the engine's terms; null when the stream just ended. */
  readonly failure: ModelFailure | null;
  /** Who was asked. */
  readonly server: string;
};

function failureOfEnd({ watch, started, idleMs, failure, server }: Ending): ModelFailure {
  if (watch.cause === 'aborted') return { type: 'aborted', message: 'The request was interrupted.' };
  if (watch.cause === 'silent') return { type: 'silent', message: `Nothing came from ${server} for ${Math.round(idleMs / 1000)} s.` };
  const type = watch.contentType;
  if (!started && type !== null && !type.includes('text/event-stream') && (failure === null || failure.type === 'cut')) {
    return {
      type: 'fatal',
      status: 200,
      message: `${server} answered, but not with a stream of events (${type || 'no content type'}). Check its address.`,
    };
  }
  return failure ?? { type: 'cut', message: `The answer of ${server} ended too early.` };
}

/** The last event of an answer. */
export function endingOf(ending: Ending): ModelEvent {
  const { message } = ending;
  const fail = (failure: ModelFailure): ModelEvent => ({ type: 'response-failed', failure, complete: ending.complete });
  if (message === null || ending.watch.cause === 'aborted') return fail(failureOfEnd(ending));
  if (message.content.length === 0 && !silentReasons.has(message.stop_reason ?? ''))
    return fail({ type: 'cut', message: `The answer of ${ending.server} was empty.` });
  return { type: 'response-ended', message };
}
