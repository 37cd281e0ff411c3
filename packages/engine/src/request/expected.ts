/** How the tokens of a request will be billed, before it is sent: read from the cache, written to it, or neither. */
import type { Mark, RequestRecord } from '../transcript/records.js';
import type { ModelProfile } from './model.js';
import type { Sealed } from './placed.js';
import type { RequestPlan } from './plan.js';

export type ExpectedOptions = {
  /** Tokens of system and tools. */
  readonly head: number;
  readonly messages: readonly Sealed[];
  /** Tokens of an aside's words. */
  readonly words: number;
  /** Messages that are as the ancestor sent them. */
  readonly sealed: number;
  readonly marks: readonly Mark[];
  readonly ancestor: RequestRecord | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** Minutes that an entry lives after it was last used. */
const LIFE = { '5m': 5, '1h': 60 } as const;

/** How long the entry lives that this request wrote last; null when it wrote none. */
export function lifeOf({ marks }: Pick<RequestRecord, 'marks'>): { readonly minutes: number } | null {
  const written = marks.at(-1);
  return written === undefined ? null : { minutes: LIFE[written.ttl] };
}

/** Read is what the ancestor wrote and is as it was; the rest is written up to the newest mark. */
export function expectedTokens(options: ExpectedOptions, profile: Pick<ModelProfile, 'minimum'>): RequestPlan['expected'] {
  const { head, messages, words, sealed, marks, ancestor, now } = options;
  const total = head + tokensOf(messages) + words;
  const newest = marks.at(-1);
  if (newest === undefined || total < profile.minimum) return { read: 0, write5m: 0, write1h: 0, fresh: total };
  const life = ancestor === undefined ? null : lifeOf(ancestor);
  const alive = ancestor !== undefined && life !== null && now - Date.parse(ancestor.at) <= life.minutes * 60_000;
  const read = alive ? head + tokensOf(messages.slice(0, sealed)) : 0;
  const write = total - read;
  return newest.ttl === '1h' ? { read, write5m: 0, write1h: write, fresh: 0 } : { read, write5m: write, write1h: 0, fresh: 0 };
}

function tokensOf(messages: readonly Sealed[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens(), 0);
}
