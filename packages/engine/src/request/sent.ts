/** What was sent on this chain, read from `request` records. */
import type { Id } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { PrefixRecord, RequestRecord } from '../transcript/records.js';

/** Requests with this prefix on the chain and in this window, first one first. Cost: O(window). */
export function requestsInWindow(log: TranscriptLog, prefix: Id): readonly RequestRecord[] {
  const start = log.chain.findLastIndex((record) => record.type === 'compact_boundary');
  return log.chain.slice(Math.max(0, start)).flatMap((record) => requestsAt(log, record.id, prefix));
}

/** Requests that ended with this record, or with one before it that the file has lost. */
export function requestsAt(log: TranscriptLog, record: Id, prefix: Id): readonly RequestRecord[] {
  const { sent } = log;
  const lost = sent.get(log.lostBefore.get(record) ?? '') ?? [];
  return [...lost, ...(sent.get(record) ?? [])].filter((one) => one.prefix === prefix && one.purpose === 'turn');
}

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

/** Fold: whether what comes next opens a later turn: a person's words after an answer. Between turns people come and go. */
export const laterTurnFold: Fold<{ answered: boolean; opens: boolean }> = {
  name: 'later-turn',
  scope: 'chain',
  on: ['user', 'assistant', 'tool_result'],
  initial: () => ({ answered: false, opens: false }),
  step(state, record) {
    if (record.type === 'assistant') return { answered: true, opens: false };
    return { ...state, opens: record.type === 'user' && record.origin === 'human' && state.answered };
  },
};
