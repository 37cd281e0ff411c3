/** One stored request against the one before it: what was appended, and what is not as it was. Works from records alone. */
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import { TranscriptLog } from '../transcript/log.js';
import type { Moved, Place, PrefixCause, PrefixRecord, RequestRecord, TranscriptRecord } from '../transcript/records.js';
import { compareHeads, firstDifference, type PrefixDrift } from './compare.js';
import { comparePlaces } from './marks.js';
import type { ModelProfile } from './model.js';
import type { Owned, Owner } from './plan.js';
import { RequestPlanner, type Planned } from './planner.js';

/** A run of text that the request before did not hold. */
export type Appended = { readonly owner: Owner; readonly at: Place; readonly characters: number; readonly tokens: number };

/** Something that the request before held otherwise. */
export type Changed = Omit<PrefixDrift, 'owner' | 'change'> & {
  readonly owner: { readonly type: Owner['type']; readonly name: string };
  readonly change: PrefixDrift['change'];
  readonly at: Place;
};

export type RequestDiff = {
  readonly request: Id;
  /** When it left: ISO 8601, UTC. */
  readonly at: string;
  /** The nearest earlier request on its chain; null: it is the first. */
  readonly before: Id | null;
  /** Why it has another prefix than the one before; null when it has the same. */
  readonly cause: PrefixCause | null;
  /** A compaction lies between the two. */
  readonly newWindow: boolean;
  readonly appended: readonly Appended[];
  /** In the order of a request; of the messages only the first. */
  readonly changed: readonly Changed[];
  /** The stored lines no longer give what was sent: they were edited, or lost. */
  readonly damaged: Moved | null;
  /** What the request before had sent already and is written to the cache once more. `usd`: null when the price is unknown. */
  readonly rewritten: { readonly tokens: number; readonly usd: number | null };
};

export type DiffOptions = {
  readonly records: readonly TranscriptRecord[];
  /** Default: the newest request of a turn. */
  readonly request?: Id;
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'digest' | 'tokens'>;
  readonly profile: (model: string) => ModelProfile;
};

/** Null when there is no such request. Cost: O(records before it). */
export function diffRequests(options: DiffOptions): RequestDiff | null {
  const { records } = options;
  const index = records.findLastIndex((record) => isTurn(record) && (options.request === undefined || record.id === options.request));
  const request = records[index];
  if (request === undefined || !isTurn(request)) return null;
  const now = replaced(options, index, request);
  if (now === null) return null;
  const earlier = requestBefore(now.log, request);
  const old = earlier === undefined ? null : replaced(options, records.indexOf(earlier), earlier);
  const known = new Set(old === null ? [] : old.log.all.map((record) => record.id));
  const isNew = ({ at, owner }: Owned) =>
    old === null ||
    (owner.record === null ? at.section === 'messages' && at.message >= old.request.messages.length : !known.has(owner.record));
  // A section belongs to its prefix record, and a tool to nobody: what differs of those is found by comparing them.
  const owned = now.plan.owners.filter(({ at }) => at.section === 'messages' || old === null);
  const newWindow = old !== null && now.log.chain.some(({ type, id }) => type === 'compact_boundary' && !known.has(id));
  const changed = old === null ? [] : [...headChanges(old.prefix, now), ...(newWindow ? [] : messageChange(old, now))];
  return {
    request: request.id,
    at: request.at,
    before: earlier?.id ?? null,
    cause: old === null || old.prefix.id === now.prefix.id ? null : now.prefix.cause,
    newWindow,
    appended: owned.filter(isNew).map(({ owner, at, from, to, tokens }) => ({ owner, at, characters: to - from, tokens })),
    changed,
    damaged: now.plan.moved,
    rewritten: old === null ? { tokens: 0, usd: null } : rewritten({ old, now, changed, isNew, profile: options.profile }),
  };
}

type Replaced = Pick<Planned, 'plan' | 'request'> & { readonly log: TranscriptLog; readonly prefix: PrefixRecord };

const isTurn = (record: TranscriptRecord): record is RequestRecord => record.type === 'request' && record.purpose === 'turn';

/** The request as the stored records give it, with itself as its ancestor: so its plan says whether it is still what was sent. */
function replaced({ records, ports, profile }: DiffOptions, index: number, { prefix: id }: RequestRecord): Replaced | null {
  const log = new TranscriptLog();
  log.add(records.slice(0, index + 1));
  const prefix = log.get(id);
  if (prefix?.type !== 'prefix') return null;
  const planner = new RequestPlanner({ log, ports, profile, cache: { mode: 'off', ttl: '5m' } });
  return { ...planner.preview(prefix, []), log, prefix };
}

function requestBefore({ chain, sent }: TranscriptLog, request: RequestRecord): RequestRecord | undefined {
  return chain.flatMap(({ id }) => sent.get(id) ?? []).findLast((one) => isTurn(one) && one.id !== request.id);
}

function headChanges(before: PrefixRecord, { prefix, plan }: Replaced): readonly Changed[] {
  if (before.id === prefix.id) return [];
  return compareHeads(before, prefix).map((drift): Changed => {
    const { type, name } = drift.owner;
    const place = plan.owners.find(({ owner }) => owner.type === type && owner.name === name)?.at;
    return { ...drift, at: place ?? { section: type === 'tool' ? 'tools' : 'system', message: 0, block: 0 } };
  });
}

/** The first block that stands where the request before had another one. */
function messageChange(old: Replaced, now: Replaced): readonly Changed[] {
  for (const [message, { role, content }] of old.request.messages.entries()) {
    const other = now.request.messages[message];
    const length = Math.max(content.length, other?.content.length ?? 0);
    for (let block = 0; block < length; block++) {
      const [before, after] = [content[block], other?.content[block]].map((one) => (one === undefined ? '' : JSON.stringify(one)));
      if (before === after && other?.role === role) continue;
      const at: Place = { section: 'messages', message, block };
      const owner = ownerAt(after === '' ? old : now, at);
      const change = before === '' ? 'added' : after === '' ? 'removed' : 'changed';
      return [{ owner, change, at, ...firstDifference(before ?? '', after ?? '') }];
    }
  }
  return [];
}

function ownerAt({ plan }: Replaced, at: Place): Changed['owner'] {
  const { type, name } = plan.owners.find((one) => comparePlaces(one.at, at) === 0)?.owner ?? { type: 'prompt', name: 'missing' };
  return { type, name };
}

type Rewriting = {
  readonly old: Replaced;
  readonly now: Replaced;
  readonly changed: readonly Changed[];
  readonly isNew: (owned: Owned) => boolean;
  readonly profile: DiffOptions['profile'];
};

/** From the first change on; all of it for another model, the messages for another effort. */
function rewritten({ old, now, changed, isNew, profile }: Rewriting): RequestDiff['rewritten'] {
  const { price } = profile(now.prefix.model);
  const first = changed.map(({ at }) => at).toSorted(comparePlaces)[0];
  const same = old.prefix.id === now.prefix.id && first === undefined;
  const from: Place = { section: old.prefix.model === now.prefix.model ? 'messages' : 'tools', message: 0, block: 0 };
  const start = first === undefined || comparePlaces(from, first) < 0 ? from : first;
  const again = same
    ? []
    : now.plan.owners.filter((owned) => comparePlaces(owned.at, start) >= 0 && (owned.at.section !== 'messages' || !isNew(owned)));
  const tokens = again.reduce((sum, owned) => sum + owned.tokens, 0);
  return { tokens, usd: price === null ? null : (tokens * (price.write5m - price.read)) / 1_000_000 };
}
