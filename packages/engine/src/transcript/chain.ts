/** The chain from the first record to the head, and the window: what of it the model sees. Pure. */
import type { Id } from '../content/content.js';
import type { BoundaryRecord, ChainRecord, SessionRecord, TranscriptRecord } from './records.js';

const BESIDE: ReadonlySet<TranscriptRecord['type']> = new Set(['request', 'queue', 'state', 'foreign']);

/** True for records, and drafts of them, that a request is made of. */
export function isOnChain<R extends { readonly type: TranscriptRecord['type'] }>(
  record: R,
): record is Exclude<R, { readonly type: SessionRecord['type'] }> {
  return !BESIDE.has(record.type);
}

/** The record before this one: its parent, or what a boundary compacted away. */
export const before = (record: ChainRecord): Id | null => (record.type === 'compact_boundary' ? record.before : record.parent);

/** All ancestors of `head`, first one first, through boundaries. A cycle ends the walk. */
export function chainTo(head: Id | null, byId: ReadonlyMap<Id, ChainRecord>): ChainRecord[] {
  const chain: ChainRecord[] = [];
  const seen = new Set<Id>();
  for (let at = head; at !== null && !seen.has(at);) {
    const record = byId.get(at);
    if (record === undefined) break;
    seen.add(at);
    chain.push(record);
    at = before(record);
  }
  return chain.reverse();
}

/**
 * The window of a chain: everything since the last boundary, with that boundary's batch first, then the kept tail.
 * Tails of tails work, since each boundary cuts from the window that was there before it. `before`: the window of what
 * stands before `chain`, where that is not the whole chain.
 */
export function windowOf(chain: readonly ChainRecord[], before: readonly ChainRecord[] = []): ChainRecord[] {
  let window: ChainRecord[] = [...before];
  let boundary: BoundaryRecord | undefined;
  let tail: readonly ChainRecord[] = [];
  for (const record of chain) {
    if (record.type === 'compact_boundary') {
      const whole = boundary === undefined ? window : [...window, ...tail];
      tail = keptTail(whole, record.keepFrom);
      window = [record];
      boundary = record;
      continue;
    }
    if (boundary !== undefined && record.batch.id !== boundary.batch.id) {
      window.push(...tail);
      tail = [];
      boundary = undefined;
    }
    window.push(record);
  }
  window.push(...tail);
  return window;
}

function keptTail(window: readonly ChainRecord[], from: Id | null): readonly ChainRecord[] {
  const at = from === null ? -1 : window.findIndex((record) => record.id === from);
  return at < 0 ? [] : window.slice(at).filter((record) => record.type !== 'compact_boundary' && record.type !== 'prefix');
}
