/** Which model answers a thread: the newest prefix says so, and later words of the person win. */
import type { Fold, Thread } from '@sidenote/engine';

const modelFold: Fold<{ model: string | undefined }> = {
  name: 'answering-model',
  scope: 'session',
  on: ['prefix', 'state'],
  initial: () => ({ model: undefined }),
  step: (state, record) => {
    if (record.type === 'prefix') return { model: record.model };
    return record.type === 'state' && record.key === 'model' && typeof record.value === 'string' ? { model: record.value } : state;
  },
};

/** The model that answers this thread now; undefined before its first request. */
export function answeringModel({ transcript }: Thread): string | undefined {
  return transcript.read(modelFold).model;
}
