/** The copy of a window that asks for a summary when the window itself is too long for that: the oldest results go first. */
import type { Ports } from '../attachments/ports.js';
import type { ChainRecord } from '../transcript/records.js';
import { tokensOf } from './fullness.js';

export type Shrunk = {
  readonly records: readonly ChainRecord[];
  /** What the copy lacks. */
  readonly leftOut: { readonly results: number; readonly attachments: number; readonly messages: number };
};

/** Results shorter than this are not worth a note in their place (tokens). */
const SMALL = 60;

/**
 * Takes out results, then attachments, then whole messages, each oldest first, until at most this `part` of the tokens
 * (0 to 1, by estimate) is left. The newest message always stays. No record is changed: what differs is a copy.
 */
export function shrinkTo(
  window: readonly ChainRecord[],
  { part, tokens }: { readonly part: number; readonly tokens: Ports['tokens'] },
): Shrunk {
  const sizes = window.map((record) => tokensOf(record, tokens));
  let size = sizes.reduce((sum, one) => sum + one, 0);
  const room = size * part;
  const leftOut = { results: 0, attachments: 0, messages: 0 };
  const records = [...window];
  for (const type of ['tool_result', 'attachment'] as const) {
    for (let at = 0; at < records.length && size > room; at++) {
      const record = records[at];
      const own = sizes[at] ?? 0;
      if (record?.type !== type || own <= SMALL) continue;
      records[at] = emptied(record);
      sizes[at] = tokensOf(records[at] ?? record, tokens);
      size -= own - (sizes[at] ?? 0);
      leftOut[type === 'tool_result' ? 'results' : 'attachments']++;
    }
  }
  const from = firstKept(records, sizes, size - room);
  leftOut.messages = records.slice(0, from).filter(({ type }) => type === 'assistant' || type === 'user').length;
  return { records: records.slice(from), leftOut };
}

function emptied(record: Extract<ChainRecord, { readonly type: 'tool_result' | 'attachment' }>): ChainRecord {
  if (record.type === 'attachment') return { ...record, content: [] };
  return { ...record, content: [{ type: 'text', text: '(left out of this copy for want of room)' }] };
}

/** Index of the message with which a copy that lacks so many tokens begins. */
function firstKept(records: readonly ChainRecord[], sizes: readonly number[], over: number): number {
  if (over <= 0) return 0;
  const begins = (record: ChainRecord | undefined) => record?.type === 'user' || record?.type === 'assistant';
  const newest = records.findLastIndex(begins);
  let gone = 0;
  for (let at = 0; at < newest; at++) {
    if (gone >= over && begins(records[at])) return at;
    gone += sizes[at] ?? 0;
  }
  return Math.max(0, newest);
}
