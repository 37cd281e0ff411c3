/** When a request is made anew in place of a failed turn: a provider that refuses a part of it, a model that does not answer. */
import type { AssistantMessage, Fold, ModelFailure, Restriction, Retry } from '@sidenote/engine';

/** What came back: an answer, or why there is none. */
export type Outcome =
  | { readonly type: 'answered'; readonly message: AssistantMessage }
  | { readonly type: 'failed'; readonly failure: ModelFailure };

export type Remake = {
  readonly how: Retry;
  /** One line for the person. */
  readonly text: string;
};

export type RemakeOptions = {
  /** The model that was asked. */
  readonly model: string;
  /** The model that steps in; undefined: none. Asked only when one is needed. */
  readonly fallback: () => string | undefined;
  /** What was left out before in this session: each thing is tried once. */
  readonly without: ReadonlySet<Restriction>;
};

/** Fold: what has been left out since a provider refused it, on any branch. */
export const refusedFold: Fold<Set<Restriction>> = {
  name: 'provider-refused',
  scope: 'session',
  on: ['prefix'],
  initial: () => new Set(),
  step: (state, record) => (record.type === 'prefix' && record.without !== undefined ? new Set([...state, ...record.without]) : state),
};

const REFUSED = {
  'signature-refused': { without: 'thinking', text: 'The provider refuses the signatures of earlier thinking: asking again without it' },
  'system-role-refused': {
    without: 'system-message',
    text: 'The provider takes no system messages in a conversation: asking again with notes in their place',
  },
} as const;

/** Undefined when nothing is left to try. */
export function remakeFor(outcome: Outcome, { model, without, ...options }: RemakeOptions): Remake | undefined {
  if (outcome.type === 'failed' && (outcome.failure.type === 'signature-refused' || outcome.failure.type === 'system-role-refused')) {
    const { without: part, text } = REFUSED[outcome.failure.type];
    return without.has(part) ? undefined : { how: { cause: 'provider-refused', without: part }, text };
  }
  const why = outcome.type === 'failed' ? whyFailed(outcome.failure) : whyDeclined(outcome.message);
  const fallback = why === undefined ? undefined : options.fallback();
  if (why === undefined || fallback === undefined || fallback === model) return undefined;
  return { how: { cause: 'fallback', model: fallback }, text: `${model} ${why}: ${fallback} goes on (/model sets another one)` };
}

function whyFailed(failure: ModelFailure): string | undefined {
  if (failure.type === 'retry') return `does not answer (${failure.message.replace(/\.$/, '')})`;
  return failure.type === 'refused' ? 'declines to answer' : undefined;
}

/** A refusal that came with words or calls is an answer. */
function whyDeclined({ stop_reason: reason, content }: AssistantMessage): string | undefined {
  const says = content.some(
    (block) => block.type === 'tool_use' || ('text' in block && typeof block.text === 'string' && block.text.trim() !== ''),
  );
  return reason === 'refusal' && !says ? 'declines to answer' : undefined;
}
