/** Appends records to one thread: in the store first, readable only then. Writes keep the order in which they were asked for. */
import type { Ports } from '../attachments/ports.js';
import type { Id, Json } from '../content/content.js';
import { isOnChain } from '../transcript/chain.js';
import { deepWellFormed } from '../transcript/json.js';
import { encodeBatch } from '../transcript/line-codec.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { ChainRecord, SessionRecord, TranscriptRecord } from '../transcript/records.js';
import type { OpenSession } from '../transcript/store.js';
import { callsFold } from './calls.js';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A record before it has its place: the writer adds time, thread, parent and batch. */
export type Draft = Without<ChainRecord, 'at' | 'thread' | 'parent' | 'batch'> | Without<SessionRecord, 'at' | 'thread' | 'batch'>;

export type WriterOptions = {
  readonly thread: Id;
  readonly log: TranscriptLog;
  readonly store: OpenSession;
  readonly ports: Pick<Ports, 'clock' | 'ids'>;
  readonly fields: Readonly<Record<string, Json>>;
};

/** Identity: the queue of one thread's writes. */
export class RecordWriter {
  readonly #options: WriterOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** One batch, one write. `power` also survives a power cut: once a step, before its request leaves. */
  append(drafts: readonly Draft[], survive: 'process' | 'power' = 'process'): Promise<readonly TranscriptRecord[]> {
    return this.#queue(() => this.#write(this.#records(drafts), survive));
  }

  /** Records as they are, of another file: ids, parents and times are kept. */
  copy(records: readonly TranscriptRecord[]): Promise<readonly TranscriptRecord[]> {
    return this.#queue(() => this.#write(records, 'process'));
  }

  #queue<T>(write: () => Promise<T>): Promise<T> {
    const next = this.#last.then(write);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #write(records: readonly TranscriptRecord[], survive: 'process' | 'power'): Promise<readonly TranscriptRecord[]> {
    const { log, store, thread, fields } = this.#options;
    const lines = encodeBatch(records, { fields, lineOfCall: (call) => log.read(callsFold).lines.get(call) });
    await store.append(thread, lines, survive);
    log.add(records);
    return records;
  }

  #records(drafts: readonly Draft[]): readonly TranscriptRecord[] {
    const { log, ports, thread } = this.#options;
    const at = new Date(ports.clock.now()).toISOString();
    const id = ports.ids.next();
    let parent = log.head;
    return drafts.map((draft, index) => {
      const common = { at, thread, batch: { id, index, count: drafts.length } };
      // A boundary has no parent: what stands before it is named by `before`.
      // Kept as a reader of the file will find it, so that a resume plans the same bytes.
      const record = deepWellFormed({
        ...draft,
        ...common,
        ...(isOnChain(draft) ? { parent: draft.type === 'compact_boundary' ? null : parent } : {}),
      }) as TranscriptRecord;
      if (isOnChain(record)) parent = record.id;
      return record;
    });
  }
}
