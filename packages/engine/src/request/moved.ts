/** Finds the first message that is not what was sent: before the request leaves, not by the provider's bill. */
import type { Moved, RequestRecord } from '../transcript/records.js';
import type { ModelProfile } from './model.js';
import { isOneOwner } from './owners.js';
import type { Sealed } from './placed.js';

const START = 16;
/** As much of a running digest as tells two messages apart. */
export const startOfDigest = ({ digest }: Pick<Sealed, 'digest'>): string => digest.slice(0, START);

export type MovedOptions = {
  /** Digest of the head, and its tokens. */
  readonly base: string;
  readonly headTokens: () => number;
  readonly messages: readonly Sealed[];
  /** Requests of this window, first one first; asked only when something has moved. */
  readonly sent: () => readonly RequestRecord[];
  readonly price: ModelProfile['price'];
};

/** Null when all that the ancestor sent is as it was. */
export function movedSince(ancestor: RequestRecord, { base, headTokens, messages, sent, price }: MovedOptions): Moved | null {
  const last = messages[ancestor.sealed - 1];
  if (ancestor.sealed === 0 || (last !== undefined && last.digest === ancestor.digest)) return null;
  const usdOf = (tokens: number) => (price === null ? null : (tokens * (price.write5m - price.read)) / 1_000_000);
  const start = startOfDigest({ digest: base });
  if (ancestor.base !== undefined && ancestor.base !== start) {
    const tokens = headTokens() + messages.reduce((sum, one) => sum + one.tokens(), 0);
    const at = { section: 'system', message: 0, block: 0 } as const;
    return { at, owner: 'system prompt or tools', before: `digest ${ancestor.base}`, after: `digest ${start}`, tokens, usd: usdOf(tokens) };
  }
  const known = digestsOf(sent());
  const found = known.findIndex((start, index) => start !== undefined && startAt(messages, index) !== start);
  const message = found < 0 ? ancestor.sealed - 1 : found;
  const moved = messages[message];
  const tokens = messages.slice(message).reduce((sum, one) => sum + one.tokens(), 0);
  return {
    at: { section: 'messages', message, block: 0 },
    owner: moved === undefined ? 'missing' : ownerOf(moved),
    before: `digest ${known[message] ?? ancestor.digest.slice(0, START)}`,
    after: moved === undefined ? `only ${messages.length} messages` : `digest ${startOfDigest(moved)}`,
    tokens,
    usd: usdOf(tokens),
  };
}

function startAt(messages: readonly Sealed[], index: number): string | undefined {
  const message = messages[index];
  return message === undefined ? undefined : startOfDigest(message);
}

/** By message: what was sent last. */
function digestsOf(requests: readonly RequestRecord[]): readonly (string | undefined)[] {
  const known: (string | undefined)[] = [];
  for (const { added, sealed } of requests) {
    added.forEach((start, index) => {
      known[sealed - added.length + index] = start;
    });
  }
  return known;
}

function ownerOf({ owners }: Sealed): string {
  const first = owners[0];
  const owner = first === undefined ? undefined : isOneOwner(first) ? first : first[0]?.[0]?.owner;
  return owner === undefined ? 'envelope' : `${owner.type} ${owner.name}`;
}
