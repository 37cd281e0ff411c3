/**
 * Records without their texts. What stands behind a boundary is folded, never sent, and folds of chain and session look at no
 * text; so a session of any length takes the memory of its window. The file has the texts for whoever goes back.
 */
import type { Id } from '../content/content.js';
import { isOnChain } from './chain.js';
import type { ChainRecord, TranscriptRecord } from './records.js';

const LEFT_OUT: readonly never[] = Object.freeze([]);

/** The record with nothing in it to send. Records that only hold what folds read stay as they are. */
export function lean(record: ChainRecord): ChainRecord {
  switch (record.type) {
    case 'user':
    case 'tool_result':
    case 'attachment':
      return { ...record, content: LEFT_OUT };
    case 'assistant':
      return { ...record, message: { ...record.message, content: LEFT_OUT } };
    case 'prefix':
    case 'compact_boundary':
      return record;
  }
}

/** True for a record whose text was left out. */
export function isLean(record: ChainRecord): boolean {
  if (record.type === 'assistant') return record.message.content === LEFT_OUT;
  return 'content' in record && record.content === LEFT_OUT;
}

/** Which texts a reader keeps: all, those that the newest boundary left in the window, or those of some records. */
export type Texts = 'all' | 'window' | ReadonlySet<Id>;

/** Looks at the record that was added last to `records`, and leaves out texts that are not to be kept. */
export function leaveOut(records: TranscriptRecord[], texts: Texts): () => void {
  let held: number[] = [];
  const leanAt = (index: number) => {
    const record = records[index];
    if (record !== undefined && isOnChain(record)) records[index] = lean(record);
  };
  return () => {
    const index = records.length - 1;
    const record = records[index];
    if (texts === 'all' || record === undefined) return;
    if (texts !== 'window') {
      if (!texts.has(record.id)) leanAt(index);
      return;
    }
    if (record.type !== 'compact_boundary') {
      held.push(index);
      return;
    }
    const kept = record.keepFrom === null ? index : records.findLastIndex(({ id }) => id === record.keepFrom);
    const from = kept < 0 ? index : kept;
    for (const at of held) if (at < from) leanAt(at);
    held = held.filter((at) => at >= from);
  };
}
