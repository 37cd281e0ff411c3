/** The records of a fork: the window of another thread, in an order that reads back to the same window and the same bytes. */
import type { Id } from '../content/content.js';
import { prefixFold } from '../request/sent.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { ChainRecord, StateRecord, TranscriptRecord } from '../transcript/records.js';

/** Ids are kept, so that what was told stays told; `thread` is the new one. The newest request comes too, for its cache entry. */
export function forkRecords(log: TranscriptLog, thread: Id): readonly TranscriptRecord[] {
  const { chain, own } = linked(log);
  // Requests that ended in the kept tail counted messages of a window that is not copied.
  const heads = new Set(own.map((record) => record.id));
  const sent = [...log.sent].filter(([head]) => heads.has(head)).flatMap(([, requests]) => requests);
  // The threads of agents are not copied, so the copy does not name them; what was asked beside the chain is paid for there.
  const left: readonly StateRecord['key'][] = ['head', 'agent', 'usage'];
  const settings = log.read(settingsFold).filter(({ key }) => !left.includes(key));
  return rebatched([...chain, ...sent, ...settings].map((record) => ({ ...record, thread })));
}

/** Fold: what was set, in its order. */
const settingsFold: Fold<StateRecord[]> = {
  name: 'settings',
  scope: 'session',
  on: ['state'],
  initial: () => [],
  step(settings, record) {
    if (record.type === 'state') settings.push(record);
    return settings;
  },
};

/** A batch of which only a part was copied counts as whole. */
function rebatched(records: readonly TranscriptRecord[]): readonly TranscriptRecord[] {
  let start = 0;
  return records.map((record, at) => {
    const { id } = record.batch;
    if (records[start]?.batch.id !== id) start = at;
    let end = at;
    while (records[end + 1]?.batch.id === id) end++;
    return { ...record, batch: { id, index: at - start, count: end - start + 1 } };
  });
}

/** The prefix in force, then the kept tail, the boundary and what follows it: each the child of the one before. */
function linked(log: TranscriptLog): { readonly chain: readonly ChainRecord[]; readonly own: readonly ChainRecord[] } {
  const { window } = log;
  const prefix = log.read(prefixFold).value;
  const boundary = window.find((record) => record.type === 'compact_boundary');
  const cut = boundary === undefined ? 0 : log.chain.indexOf(boundary);
  const old = new Set(log.chain.slice(0, cut).map((record) => record.id));
  const tail = window.filter((record) => old.has(record.id));
  const rest = window.filter((record) => !old.has(record.id));
  const head = prefix === null || window.includes(prefix) ? [] : [prefix];
  // What a prefix leaves out depends on what stands before it, so it keeps its place among the records of the tail.
  const before = [...head, ...tail].toSorted((a, b) => log.chain.indexOf(a) - log.chain.indexOf(b));
  let parent: Id | null = null;
  const chain = [...before, ...rest].map((record): ChainRecord => {
    const child: ChainRecord = record.type === 'compact_boundary' ? { ...record, before: parent ?? record.before } : { ...record, parent };
    parent = record.id;
    return child;
  });
  return { chain, own: rest };
}
