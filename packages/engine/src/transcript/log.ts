/** The transcript in memory: records by id, the chain to the head, the window, and the folds over them. */
import type { Id } from '../content/content.js';
import { before, chainTo, isOnChain, windowOf } from './chain.js';
import type { Fold } from './fold.js';
import { isLean, lean } from './lean.js';
import { Past, type Packing } from './past.js';
import type { ChainRecord, RequestRecord, TranscriptRecord } from './records.js';

type FoldState = { epoch: number; read: number; value: unknown };

/**
 * Identity: one thread's records. Adding records at the head costs O(new), and a boundary O(window). A rewind or a branch
 * rebuilds the chain once and lets folds over it begin anew. With `packing` what stands before the window is packed; who reads
 * a fold of it for the first time, or goes back, unpacks it.
 */
export class TranscriptLog {
  readonly window: ChainRecord[] = [];
  /** The chain to the head, as far as it is not packed. */
  readonly chain: ChainRecord[] = [];
  /** Everything in file order that is not packed, foreign lines left out. */
  readonly all: TranscriptRecord[] = [];
  head: Id | null = null;
  /** By record: the parent that it names and the file has lost. */
  readonly lostBefore = new Map<Id, Id>();
  /** Requests that are not packed, by the record that they ended with. */
  readonly sent = new Map<Id, RequestRecord[]>();
  /** Changes whenever the window was rebuilt. */
  epoch = 0;
  /** Changes whenever the chain was rebuilt. */
  branch = 0;
  /** Asked before something is packed: who reads by position reads on now, while nothing has to be unpacked for it. */
  readonly readers: (() => void)[] = [];
  readonly #byId = new Map<Id, ChainRecord>();
  readonly #folds = new Map<Fold<never>, FoldState>();
  readonly #texts: 'all' | 'window';
  readonly #packing: Packing | undefined;
  #past: Past | undefined;
  /** The past as a log, for as long as it is not collected. */
  #unpacked: WeakRef<TranscriptLog> | undefined;
  /** Prefixes of the past: few, and each request has one. */
  readonly #prefixes = new Map<Id, ChainRecord>();
  #stale = false;
  /** Where a boundary begins a new window, and the window before it. */
  #cut: { readonly at: number; readonly window: readonly ChainRecord[] } | undefined;

  /** `texts`: `window` leaves out what a boundary or a rewind has put out of the window. */
  constructor({ texts = 'all', packing }: { readonly texts?: 'all' | 'window'; readonly packing?: Packing } = {}) {
    this.#texts = texts;
    this.#packing = packing;
  }

  /** Adds records that are durable. A chain record becomes the head; a record whose parent is missing follows the one before it in the file. */
  add(records: readonly TranscriptRecord[]): void {
    const isFirst = this.all.length === 0;
    for (const record of records) {
      if (this.#reachesBack(record)) this.#unpack();
      this.#take(record);
    }
    if (this.#stale) this.#rebuild();
    else if (this.#cut === undefined) return;
    else {
      this.#beginWindow(this.#cut);
      // What was just loaded is about to be read by every fold.
      if (!isFirst && this.#packing !== undefined) this.#pack(this.#packing);
    }
    if (this.#texts === 'window') this.#leaveOut();
  }

  get(id: Id): ChainRecord | undefined {
    return this.#byId.get(id) ?? this.#prefixes.get(id) ?? (this.#past === undefined ? undefined : this.#pastOf(this.#past).get(id));
  }

  /** True for a record of the chain to the head, packed or not. */
  isOnChain(id: Id): boolean {
    const is = (record: TranscriptRecord): boolean => record.id === id;
    return this.chain.some(is) || this.since('chain', 0).some(is);
  }

  /** Records without their texts in the window that ends at `head`. */
  leftOut(head: Id | null): ReadonlySet<Id> {
    if (head !== this.head) this.#unpack();
    if (this.#stale) this.#rebuild();
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
    const { scope } = fold;
    const epoch = scope === 'window' ? this.epoch : scope === 'chain' ? this.branch : 0;
    const key = fold as unknown as Fold<never>;
    let state = this.#folds.get(key);
    if (state === undefined || state.epoch !== epoch) {
      state = { epoch, read: 0, value: fold.initial() };
      this.#folds.set(key, state);
    }
    for (const record of this.since(scope, state.read)) {
      state.read++;
      if (fold.on.includes(record.type)) state.value = fold.step(state.value as S, record);
    }
    return state.value as S;
  }

  /** Records of a scope from a position on; what is packed has its position, too. */
  since(scope: Fold<unknown>['scope'], from: number): readonly TranscriptRecord[] {
    if (scope === 'window') return this.window.slice(from);
    const near = scope === 'chain' ? this.chain : this.all;
    const packed = this.#past?.count[scope] ?? 0;
    if (this.#past === undefined || from >= packed) return near.slice(from - packed);
    const past = this.#pastOf(this.#past);
    return [...(scope === 'chain' ? past.chain : past.all).slice(from), ...near];
  }

  #take(record: TranscriptRecord): void {
    this.all.push(record);
    if (isOnChain(record)) this.#link(record);
    else if (record.type === 'state' && record.key === 'head' && typeof record.value === 'string') this.#moveHead(record.value);
    else if (record.type === 'request') this.sent.set(record.head, [...(this.sent.get(record.head) ?? []), record]);
  }

  #link(record: ChainRecord): void {
    const parent = before(record);
    if (this.#byId.has(record.id)) return;
    const isLost = parent !== null && !this.#byId.has(parent);
    if (isLost) this.lostBefore.set(record.id, parent);
    const known = isLost || this.#isBesideHead(record) ? reparent(record, this.head) : record;
    this.#byId.set(known.id, known);
    const grows = before(known) === this.head;
    this.head = known.id;
    if (!grows) this.#stale = true;
    if (this.#stale) return;
    if (known.type === 'compact_boundary') this.#cut ??= { at: this.chain.length, window: [...this.window] };
    this.chain.push(known);
    if (this.#cut === undefined) this.window.push(known);
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
    this.#unpack();
    this.#stale = false;
    this.branch++;
    this.chain.length = 0;
    for (const record of chainTo(this.head, this.#byId)) this.chain.push(record);
    this.#beginWindow({ at: 0, window: [] });
  }

  #beginWindow({ at, window }: { readonly at: number; readonly window: readonly ChainRecord[] }): void {
    const begun = windowOf(this.chain.slice(at), window);
    this.#cut = undefined;
    this.epoch++;
    this.window.length = 0;
    for (const record of begun) this.window.push(record);
  }

  /** Packs what stands in the file before all that the window holds. */
  #pack(packing: Packing): void {
    for (const fold of this.#folds.keys()) if (fold.scope !== 'window') this.#readOn(fold);
    for (const readOn of this.readers) readOn();
    const kept = new Set(this.window.map(({ id }) => id));
    let first = this.all.findIndex(({ id }) => kept.has(id));
    while (isBeside(this.all[first - 1])) first--;
    if (first <= 0) return;
    const records = this.all.splice(0, first);
    const ids = new Set(records.map(({ id }) => id));
    // What comes first in the file comes first on the chain.
    const chain = this.chain.splice(
      0,
      this.chain.findIndex(({ id }) => !ids.has(id)),
    );
    this.#past ??= new Past(packing);
    this.#past.push(records, { chain: chain.length, head: chain.at(-1)?.id ?? null });
    this.#unpacked = undefined;
    for (const record of records) {
      if (record.type === 'request') this.sent.delete(record.head);
      if (record.type === 'prefix') this.#prefixes.set(record.id, record);
      this.#byId.delete(record.id);
    }
  }

  /** A fold that throws keeps no boundary from being stored: it begins anew with whoever reads it next, and that one hears of it. */
  #readOn(fold: Fold<never>): void {
    try {
      this.read(fold);
    } catch {
      this.#folds.delete(fold);
    }
  }

  #pastOf(past: Past): TranscriptLog {
    const known = this.#unpacked?.deref();
    if (known !== undefined) return known;
    const log = new TranscriptLog();
    log.add(past.records());
    if (past.head !== null && past.head !== log.head) {
      log.#moveHead(past.head);
      log.#rebuild();
    }
    this.#unpacked = new WeakRef(log);
    return log;
  }

  /** True for a record that continues, or moves the head to, something that is packed. */
  #reachesBack(record: TranscriptRecord): boolean {
    if (this.#past === undefined) return false;
    const to = isOnChain(record) ? before(record) : record.type === 'state' && record.key === 'head' ? record.value : null;
    return typeof to === 'string' && !this.#byId.has(to);
  }

  /** Holds everything again, until the next boundary. The chain is to be rebuilt. */
  #unpack(): void {
    if (this.#past === undefined) return;
    const records = [...this.#past.records(), ...this.all];
    this.#past = undefined;
    this.#unpacked = undefined;
    this.#stale = true;
    this.head = null;
    this.all.length = 0;
    for (const known of [this.#byId, this.#prefixes, this.sent, this.lostBefore]) known.clear();
    for (const record of records) this.#take(record);
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

const isBeside = (record: TranscriptRecord | undefined): boolean => record !== undefined && !isOnChain(record);

function reparent(record: ChainRecord, parent: Id | null): ChainRecord {
  if (record.type !== 'compact_boundary') return { ...record, parent };
  return parent === null ? record : { ...record, before: parent };
}
