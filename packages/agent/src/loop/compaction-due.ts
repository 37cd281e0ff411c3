/** Whether a thread's window is to be compacted before its next request. */
import { compactionDue, compactionThreshold, type CompactionDue, type Content, type Fold, type ModelProfile } from '@sidenote/engine';
import type { TurnOptions } from './agent.js';

type DueOptions = Pick<TurnOptions, 'adapter' | 'thread' | 'compaction'>;

type Models = { readonly current: string | undefined; readonly next: string | undefined };

/** Fold: the model of the newest request, which an aside goes to, and that of the next one. Undefined before the first. */
const modelsFold: Fold<Models> = {
  name: 'models-now',
  scope: 'session',
  on: ['prefix', 'state'],
  initial: () => ({ current: undefined, next: undefined }),
  step: (state, record) => {
    if (record.type === 'prefix') return { current: record.model, next: record.model };
    return record.type === 'state' && record.key === 'model' && typeof record.value === 'string' ? { ...state, next: record.value } : state;
  },
};

export const modelsNow = ({ thread }: Pick<TurnOptions, 'thread'>): Models => thread.transcript.read(modelsFold);

export const thresholdFor = (profile: ModelProfile, { compaction }: Pick<TurnOptions, 'compaction'>): number =>
  compactionThreshold(profile, compaction?.percent);

/** `added`: words that are about to be said. */
export function dueNow(options: DueOptions, added: readonly Content[] = []): CompactionDue {
  const { thread, compaction, adapter } = options;
  const { next: model } = modelsNow(options);
  // Nothing is counted before there is something that could become a summary.
  if (compaction?.auto === false || model === undefined || !thread.transcript.window.some(({ type }) => type === 'assistant'))
    return { type: 'no' };
  return compactionDue(thread.fullness, {
    threshold: thresholdFor(adapter(model).profile, options),
    more: thread.tokens(added),
    overhead: () => thread.standing.filter(({ comes }) => comes !== 'when-touched'),
  });
}
