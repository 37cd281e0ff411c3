/** What a person must know when an answer ends before its time: a text that was cut looks like a whole one. */
import type { AssistantMessage } from '@sidenote/engine';

/** `failed`: there is no answer. `cut`: there is one, and it is not all that the model had to say. */
export type EarlyStop = { readonly type: 'failed' | 'cut'; readonly text: string };

const REASONS: Readonly<Record<string, EarlyStop>> = {
  refusal: { type: 'failed', text: 'The model declined to answer. Ask in other words; in a new session if it goes on declining.' },
  max_tokens: { type: 'cut', text: 'The answer was cut at the most that the model writes at once: ask it to go on.' },
  model_context_window_exceeded: {
    type: 'cut',
    text: 'The answer was cut where the context window was full: /compact makes room, then ask it to go on.',
  },
  pause_turn: { type: 'cut', text: 'The model paused before its answer was complete: ask it to go on.' },
};

/** Of an answer without calls. Undefined: it ended as answers do. */
export function earlyStop({ stop_reason: reason, content }: AssistantMessage): EarlyStop | undefined {
  const stop = reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  const isBlank = !content.some((block) => 'text' in block && typeof block.text === 'string' && block.text.trim() !== '');
  return stop !== undefined && isBlank ? { ...stop, type: 'failed' } : stop;
}
