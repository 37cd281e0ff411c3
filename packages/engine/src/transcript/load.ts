/** Reads a thread's lines into records: batches made whole, duplicates dropped, everything that was odd noted for a person. */
import type { Id, Returned } from '../content/content.js';
import { isOnChain } from './chain.js';
import { leaveOut, type Texts } from './lean.js';
import { decodeLine } from './line-decoder.js';
import type { TranscriptRecord } from './records.js';

export type Loaded = { readonly records: readonly TranscriptRecord[]; readonly notes: readonly string[]; readonly foreign: number };

type OpenBatch = {
  readonly id: Id;
  readonly count: number;
  readonly line: number;
  readonly records: TranscriptRecord[];
  readonly parts: Map<Id, Parts>;
};
type Parts = {
  readonly record: TranscriptRecord & { type: 'assistant' };
  readonly count: number;
  readonly blocks: Map<number, readonly Returned[]>;
  readonly at: number;
};

/**
 * Rules: a broken line is skipped and reported. An incomplete last batch (a kill in mid-write) is dropped and reported,
 * an incomplete one in the middle is kept and reported; the last one is that after which nothing stands on the chain.
 * A record that comes twice counts once. Foreign lines are counted, and their text is not held.
 * `texts`: of which records the content is held; default all.
 */
export async function loadRecords(lines: AsyncIterable<string>, thread: Id, texts: Texts = 'all'): Promise<Loaded> {
  const records: TranscriptRecord[] = [];
  const added = leaveOut(records, texts);
  const notes: string[] = [];
  const seen = new Set<Id>();
  let open: OpenBatch | undefined;
  let cut: readonly OpenBatch[] = [];
  let foreign = 0;
  let number = 0;

  const note = ({ line, records: found, count }: OpenBatch, what: string, end: string) =>
    notes.push(`line ${line}: ${what} (${found.length} of ${count} records); ${end}`);
  const keep = (batch: OpenBatch) => {
    for (const record of finished(batch)) {
      if (seen.has(record.id)) continue;
      seen.add(record.id);
      records.push(record);
      added();
    }
  };
  // What was sent had been whole: its line was lost later.
  const goesOn = (record: TranscriptRecord) => isOnChain(record) || (record.type === 'request' && !seen.has(record.head));
  const close = () => {
    if (open === undefined) return;
    if (!isWhole(open)) cut = [...cut, open];
    else {
      if (open.records.some(goesOn)) {
        for (const batch of cut) {
          note(batch, 'a write is incomplete', 'what is there was kept');
          keep(batch);
        }
        cut = [];
      }
      keep(open);
    }
    open = undefined;
  };

  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const decoded = decodeLine(line, thread);
    if (decoded.type === 'broken') {
      notes.push(`line ${number}: not readable (${decoded.why}); skipped`);
      continue;
    }
    if (decoded.type === 'foreign') {
      foreign++;
      continue;
    }
    const { batch } = decoded.record;
    if (open !== undefined && open.id !== batch.id) close();
    open ??= { id: batch.id, count: batch.count, line: number, records: [], parts: new Map() };
    add(open, decoded);
    if (isWhole(open)) close();
  }
  close();
  for (const batch of cut) note(batch, 'the last write was cut short', 'left out');
  return { records, notes, foreign };
}

function isWhole({ records, count, parts }: OpenBatch): boolean {
  return records.length === count && [...parts.values()].every(({ blocks, count: all }) => blocks.size === all);
}

function add(batch: OpenBatch, decoded: Exclude<ReturnType<typeof decodeLine>, { type: 'broken' | 'foreign' }>): void {
  if (decoded.type === 'record') {
    batch.records.push(decoded.record);
    return;
  }
  const { record, part, count } = decoded;
  let parts = batch.parts.get(record.id);
  if (parts === undefined) {
    parts = { record, count, blocks: new Map(), at: batch.records.length };
    batch.parts.set(record.id, parts);
    batch.records.push(record);
  }
  parts.blocks.set(part, record.message.content);
}

/** The batch's records, with the blocks of each answer put together in their order. */
function finished(batch: OpenBatch): readonly TranscriptRecord[] {
  return batch.records.map((record) => {
    const parts = batch.parts.get(record.id);
    if (parts === undefined) return record;
    const blocks = [...parts.blocks].toSorted(([a], [b]) => a - b).flatMap(([, content]) => content);
    return { ...parts.record, message: { ...parts.record.message, content: blocks } };
  });
}
