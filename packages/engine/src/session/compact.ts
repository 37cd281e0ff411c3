/** What a compaction writes: a boundary, the summary behind it, and where the kept tail may begin. */
import type { Content, Id } from '../content/content.js';
import { prefixFold } from '../request/sent.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { BoundaryRecord, ChainRecord, PrefixRecord } from '../transcript/records.js';
import { callsFold, openCalls } from './calls.js';
import { ThreadStateError, UnknownRecordError } from './errors.js';
import type { ThreadOptions } from './thread-options.js';

/** How a window ends: what of it is kept, why, and who wrote the summary. */
export type Ending = Pick<BoundaryRecord, 'keepFrom' | 'trigger' | 'summary'> & {
  /** Tokens of the window that ends. */
  readonly preTokens: number;
};

/**
 * The prefix of a window that can be summarised: something was said in it, and no call is open.
 * @throws {ThreadStateError} naming `call`.
 */
export function settledPrefix(log: TranscriptLog, call: string): PrefixRecord {
  const prefix = log.read(prefixFold).value;
  if (prefix === null) throw new ThreadStateError(call, 'empty', 'there is no conversation yet');
  if (openCalls(log.read(callsFold)).length > 0) throw new ThreadStateError(call, 'waiting for results', 'give all results first');
  return prefix;
}

/** @throws {UnknownRecordError} when `keepFrom` is not in the window. */
export function boundaryDrafts({ log, ports }: Pick<ThreadOptions, 'log' | 'ports'>, summary: readonly Content[], ending: Ending) {
  const { head, window } = log;
  if (head === null) throw new ThreadStateError('compact', 'empty', 'there is no conversation yet');
  const keepFrom = keptFrom(window, ending.keepFrom);
  return {
    boundary: { id: ports.ids.next(), type: 'compact_boundary', ...ending, before: head, keepFrom },
    user: { id: ports.ids.next(), type: 'user', content: summary, origin: 'summary' },
  } as const;
}

/** The record asked for, or the nearest earlier one at which a message begins: never between a call and its result, never behind the words that an attachment came with. */
function keptFrom(window: readonly ChainRecord[], from: Id | null): Id | null {
  if (from === null) return null;
  const at = window.findIndex((record) => record.id === from);
  if (at < 0) throw new UnknownRecordError(from, 'window');
  for (let index = at; index >= 0; index--) {
    const record = window[index];
    if (record?.type === 'assistant' || (record?.type === 'user' && record.origin !== 'summary')) return record.id;
  }
  return null;
}
