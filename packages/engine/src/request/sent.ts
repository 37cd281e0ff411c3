/** What was sent on this chain, read from `request` records. */
import type { Id } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import type { PrefixRecord, RequestRecord } from '../transcript/records.js';

/** Fold: all requests of the file, by the record that they ended with. */
export const sentFold: Fold<Map<Id, RequestRecord[]>> = {
  name: 'requests-sent',
  scope: 'session',
  on: ['request'],
  initial: () => new Map(),
  step(state, record) {
    if (record.type !== 'request') return state;
    const at = state.get(record.head);
    if (at === undefined) state.set(record.head, [record]);
    else at.push(record);
    return state;
  },
};

/** Fold: the prefix that is in force. */
export const prefixFold: Fold<{ value: PrefixRecord | null }> = {
  name: 'prefix',
  scope: 'chain',
  on: ['prefix'],
  initial: () => ({ value: null }),
  step: (state, record) => (record.type === 'prefix' ? { value: record } : state),
};

const LONG_PAUSE_MS = 5 * 60_000;
/** Fold: when the last request left, and whether this thread has paused longer than a five-minute entry lives. */
export const pauseFold: Fold<{ last: number | null; paused: boolean }> = {
  name: 'pauses',
  scope: 'session',
  on: ['request'],
  initial: () => ({ last: null, paused: false }),
  step(state, record) {
    const at = Date.parse(record.at);
    if (Number.isNaN(at)) return state;
    return { last: at, paused: state.paused || isLongPause(state.last, at) };
  },
};

/** True when an entry written at `last` has expired by `now` (milliseconds). */
export const isLongPause = (last: number | null, now: number): boolean => last !== null && now - last > LONG_PAUSE_MS;
