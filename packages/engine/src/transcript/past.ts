/** Records that a boundary has put out of the window, packed: folds still find in them what they read, and none of it is held as objects. */
import type { Id } from '../content/content.js';
import { isOnChain } from './chain.js';
import { lean } from './lean.js';
import type { TranscriptRecord } from './records.js';

/** Text made small and back, at once: `unpack(pack(text))` is `text`. */
export interface Packing {
  pack(text: string): Uint8Array;
  unpack(packed: Uint8Array): string;
}

/** Identity: the packed beginning of one file. Packed in parts, one a boundary. */
export class Past {
  /** Records, and those of them on the chain. */
  readonly count = { session: 0, chain: 0 };
  /** The last one on the chain. */
  head: Id | null = null;
  readonly #packing: Packing;
  readonly #parts: Uint8Array[] = [];

  constructor(packing: Packing) {
    this.#packing = packing;
  }

  /** Adds records that follow in the file, without their texts; `chain` of them are on the chain, and `head` is the last of those. */
  push(records: readonly TranscriptRecord[], { chain, head }: { readonly chain: number; readonly head: Id | null }): void {
    this.#parts.push(this.#packing.pack(JSON.stringify(records.map(withoutText))));
    this.count.session += records.length;
    this.count.chain += chain;
    this.head = head ?? this.head;
  }

  /** All of them, in file order. Cost: O(all). */
  records(): readonly TranscriptRecord[] {
    return this.#parts.flatMap((part) => (JSON.parse(this.#packing.unpack(part)) as TranscriptRecord[]).map(withoutText));
  }
}

const withoutText = (record: TranscriptRecord): TranscriptRecord => (isOnChain(record) ? lean(record) : record);
