/** The transcript in memory: records by id, the chain to the head, the window, and the folds over them. */
import type { Id } from '../content/content.js';
import { before, chainTo, isOnChain, windowOf } from './chain.js';
import type { Fold } from './fold.js';
import { isLean, lean } from './lean.js';
import type { ChainRecord, TranscriptRecord } from './records.js';

type FoldState = { epoch: number; read: number; value: unknown };

/**
 * Identity: one thread's records. Adding records at the head costs O(new); a rewind, a boundary or a branch rebuilds
 * chain and window once and lets folds begin anew.
 */
export class TranscriptLog {
  readonly window: ChainRecord[] = [];
  readonly chain: ChainRecord[] = [];
  /** Everything in file order, foreign lines left out. */
  readonly all: TranscriptRecord[] = [];
  head: Id | null = null;
  /** By record: the parent that it names and the file has lost. */
  readonly lostBefore = new Map<Id, Id>();
  /** Changes whenever chain or window were rebuilt. */
  epoch = 0;
  readonly #byId = new Map<Id, ChainRecord>();
  readonly #folds = new Map<Fold<never>, FoldState>();
  readonly #texts: 'all' | 'window';
  #stale = false;

  /** `texts`: `window` leaves out what a boundary or a rewind has put out of the window. */
  constructor({ texts = 'all' }: { readonly texts?: 'all' | 'window' } = {}) {
    this.#texts = texts;
  }

  /** Adds records that are durable. A chain record becomes the head; a record whose parent is missing follows the one before it in the file. */
  add(records: readonly TranscriptRecord[]): void {
    for (const record of records) {
      this.all.push(record);
      if (isOnChain(record)) this.#link(record);
      else if (record.type === 'state' && record.key === 'head' && typeof record.value === 'string') this.#moveHead(record.value);
    }
    if (!this.#stale) return;
    this.#rebuild();
    if (this.#texts === 'window') this.#leaveOut();
  }

  get(id: Id): ChainRecord | undefined {
    return this.#byId.get(id);
  }

  /** Records without their texts in the window that ends at `head`. */
  leftOut(head: Id | null): ReadonlySet<Id> {
    const window = head === this.head ? this.window : windowOf(chainTo(head, this.#byId));
    return new Set(window.filter(isLean).map(({ id }) => id));
  }

  /** Puts texts back; the records are those of the file. */
  restore(records: readonly TranscriptRecord[]): void {
    const full = new Map(records.flatMap((record) => (isOnChain(record) ? [[record.id, record] as const] : [])));
    const whole = <R extends TranscriptRecord>(record: R): TranscriptRecord => {
      const found = full.get(record.id);
      return found === undefined || !isOnChain(record) ? record : { ...found, parent: record.parent };
    };
    this.all.forEach((record, index) => {
      this.all[index] = whole(record);
    });
    for (const [id, record] of this.#byId) {
      const found = whole(record);
      if (isOnChain(found)) this.#byId.set(id, found);
    }
    this.#rebuild();
  }

  read<S>(fold: Fold<S>): Readonly<S> {
    const scope: readonly TranscriptRecord[] = fold.scope === 'window' ? this.window : fold.scope === 'chain' ? this.chain : this.all;
    const epoch = fold.scope === 'session' ? 0 : this.epoch;
    const key = fold as unknown as Fold<never>;
    let state = this.#folds.get(key);
    if (state === undefined || state.epoch !== epoch) {
      state = { epoch, read: 0, value: fold.initial() };
      this.#folds.set(key, state);
    }
    for (; state.read < scope.length; state.read++) {
      const record = scope[state.read];
      if (record !== undefined && fold.on.includes(record.type)) state.value = fold.step(state.value as S, record);
    }
    return state.value as S;
  }

  #link(record: ChainRecord): void {
    const parent = before(record);
    if (this.#byId.has(record.id)) return;
    const isLost = parent !== null && !this.#byId.has(parent);
    if (isLost) this.lostBefore.set(record.id, parent);
    const known = isLost || this.#isBesideHead(record) ? reparent(record, this.head) : record;
    this.#byId.set(known.id, known);
    const grows = known.type !== 'compact_boundary' && known.parent === this.head;
    this.head = known.id;
    if (!grows) this.#stale = true;
    if (this.#stale) return;
    this.chain.push(known);
    this.window.push(known);
  }

  /** True for a further result of the answer that the head is a result of: where each of them names the answer, none is a branch. */
  #isBesideHead(record: ChainRecord): boolean {
    if (record.type !== 'tool_result' || record.parent === this.head) return false;
    for (let at = this.head; at !== null;) {
      const one = this.#byId.get(at);
      if (one?.type === 'assistant') return one.id === record.parent;
      if (one?.type !== 'attachment' && (one?.type !== 'tool_result' || one.call === record.call)) return false;
      at = one.parent;
    }
    return false;
  }

  #moveHead(to: Id): void {
    if (!this.#byId.has(to) || to === this.head) return;
    this.head = to;
    this.#stale = true;
  }

  #rebuild(): void {
    this.#stale = false;
    this.epoch++;
    this.chain.length = 0;
    this.window.length = 0;
    for (const record of chainTo(this.head, this.#byId)) this.chain.push(record);
    for (const record of windowOf(this.chain)) this.window.push(record);
  }

  /** What is not in the window keeps what folds read of it. */
  #leaveOut(): void {
    const kept = new Set(this.window.map(({ id }) => id));
    const leaner = <R extends TranscriptRecord>(record: R): R | ChainRecord =>
      isOnChain(record) && !kept.has(record.id) && !isLean(record) ? lean(record) : record;
    this.all.forEach((record, index) => {
      this.all[index] = leaner(record);
    });
    this.chain.forEach((record, index) => {
      this.chain[index] = leaner(record);
    });
    for (const [id, record] of this.#byId) this.#byId.set(id, leaner(record));
  }
}

function reparent(record: ChainRecord, parent: Id | null): ChainRecord {
  if (record.type !== 'compact_boundary') return { ...record, parent };
  return parent === null ? record : { ...record, before: parent };
}
