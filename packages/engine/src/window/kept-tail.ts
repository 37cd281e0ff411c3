/** Which recent part of a conversation stays as it is when the rest becomes a summary. */
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import type { ChainRecord } from '../transcript/records.js';
import { tokensOf } from './fullness.js';

/** Tokens, and the part of what is there, that a tail may hold. */
const MOST = 20_000;
const PART = 0.25;

export type KeptTail = {
  /** First record of the tail; null: nothing is kept. */
  readonly from: Id | null;
  /** Estimated tokens. */
  readonly tokens: number;
  readonly messages: number;
};

export type KeptTailOptions = {
  readonly tokens: Ports['tokens'];
  /** Tokens that the newest step may hold at most and be kept all the same, while a turn runs; undefined: no turn runs. */
  readonly running?: number;
};

/**
 * The longest tail that is small beside the whole. It begins where a message begins, so no call is parted from its result,
 * and never with the opening of the window, which comes again by itself. While a turn runs, words without an answer are always
 * kept, and the calls and results that the model is about to read as long as they leave room.
 */
export function keptTail(window: readonly ChainRecord[], { tokens, running }: KeptTailOptions): KeptTail {
  const sizes = window.map((record) => tokensOf(record, tokens));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const opening = window.findIndex(({ type }) => type === 'user');
  const budget = Math.min(MOST, total * PART);
  let kept: KeptTail = { from: null, tokens: 0, messages: 0 };
  let size = 0;
  for (let at = window.length - 1; at > opening; at--) {
    const record = window[at];
    size += sizes[at] ?? 0;
    if (record === undefined || !beginsMessage(record)) continue;
    const isNewest = kept.from === null;
    const isNeeded = running !== undefined && isNewest && (record.type === 'user' || size <= running);
    if (size > budget && !isNeeded) break;
    kept = { from: record.id, tokens: size, messages: kept.messages + 1 };
  }
  return kept;
}

/** Places at which `Thread.compact` can cut. */
const beginsMessage = (record: ChainRecord): boolean =>
  record.type === 'assistant' || (record.type === 'user' && record.origin !== 'summary');
