/** What the cache was to give and what the provider says it gave, request by request; every difference has its reason. */
import type { Id } from '../content/content.js';
import type { Fold, Transcript } from '../transcript/fold.js';
import type { AssistantRecord, PrefixCause, PrefixRecord, RequestRecord } from '../transcript/records.js';
import { lifeOf } from './expected.js';
import type { ModelProfile } from './model.js';

export type Difference = {
  /**
   * `expired`: the pause was longer than the entry lives. `moved`: what had been sent is not as it was. `below-minimum`: too
   * short to be cached. `not-yet-readable`: the request that writes it had not begun to answer. `provider`: it names a reason of
   * its own. `shared`: more was read than this thread has written. `unexplained`: none of these.
   */
  readonly type: 'expired' | 'moved' | 'below-minimum' | 'not-yet-readable' | 'provider' | 'shared' | 'unexplained';
  /** Fewer (or, when shared, more) tokens were read than predicted. */
  readonly tokens: number;
  /** One line for a person. */
  readonly text: string;
  /** What these tokens cost more than predicted; below zero when shared; null when the price is unknown. */
  readonly usd: number | null;
};

/** One answered request. All counts are tokens. */
export type Account = {
  readonly request: Id;
  /** When it left: ISO 8601, UTC. */
  readonly at: string;
  readonly model: string;
  /** Why it has a prefix of its own; null when the request before it has the same. */
  readonly cause: PrefixCause | null;
  /** From what the provider reported of the request that this one begins with. */
  readonly predicted: { readonly read: number; readonly write: number };
  /** `fresh`: neither read nor written. */
  readonly reported: { readonly read: number; readonly write: number; readonly fresh: number };
  /** Null: as predicted. */
  readonly difference: Difference | null;
  /** The provider's own reason for not reading its cache, where it gives one. */
  readonly providerReason: string | null;
};

type Facts = {
  readonly prefixes: Map<Id, PrefixRecord>;
  readonly requests: Map<Id, RequestRecord>;
  readonly byHead: Map<Id, RequestRecord>;
  readonly answers: Map<Id, AssistantRecord>;
  readonly answered: RequestRecord[];
};

/** Fold: requests of this file and the answers that belong to them, on whichever branch. */
const factsFold: Fold<Facts> = {
  name: 'cache-facts',
  scope: 'session',
  on: ['prefix', 'request', 'assistant'],
  initial: () => ({ prefixes: new Map(), requests: new Map(), byHead: new Map(), answers: new Map(), answered: [] }),
  step(facts, record) {
    if (record.type === 'prefix') facts.prefixes.set(record.id, record);
    else if (record.type === 'request') {
      facts.requests.set(record.id, record);
      if (record.purpose === 'turn') facts.byHead.set(record.head, record);
    } else if (record.type === 'assistant') {
      const request = facts.byHead.get(record.parent ?? '');
      if (request === undefined || facts.answers.has(request.id)) return facts;
      facts.answers.set(request.id, record);
      facts.answered.push(request);
    }
    return facts;
  },
};

/** One entry per answered request, in the order of the answers. Requests of servers that report no cache are left out. */
export function accountOf(transcript: Pick<Transcript, 'read'>, profile: (model: string) => ModelProfile): readonly Account[] {
  const facts = transcript.read(factsFold);
  let before: Id | undefined;
  return facts.answered.flatMap((request): readonly Account[] => {
    const account = accountFor(request, facts, profile, before);
    before = request.prefix;
    return account === undefined ? [] : [account];
  });
}

function accountFor(
  request: RequestRecord,
  facts: Readonly<Facts>,
  profile: (model: string) => ModelProfile,
  before: Id | undefined,
): Account | undefined {
  const answer = facts.answers.get(request.id);
  const prefix = facts.prefixes.get(request.prefix);
  if (answer === undefined || answer.message.usage.cache_read_input_tokens === null) return undefined;
  const reported = countsOf(answer);
  const total = reported.read + reported.write + reported.fresh;
  const source = writtenBy(request, facts);
  const read = request.marks.length === 0 || source === undefined ? 0 : Math.min(source.tokens, total);
  const predicted = { read, write: request.marks.length === 0 ? 0 : total - read };
  const model = prefix?.model ?? answer.asked;
  const providerReason = answer.message.diagnostics?.cache_miss_reason?.type ?? null;
  const difference = explain({ request, reported, predicted, total, source, providerReason, profile: profile(model) });
  const cause = request.prefix === before ? null : (prefix?.cause ?? null);
  return { request: request.id, at: request.at, model, cause, predicted, reported, difference, providerReason };
}

function countsOf({ message: { usage } }: AssistantRecord): Account['reported'] {
  return { read: usage.cache_read_input_tokens ?? 0, write: usage.cache_creation_input_tokens ?? 0, fresh: usage.input_tokens };
}

type Source = { readonly request: RequestRecord; readonly answer: AssistantRecord; readonly tokens: number };

/** The nearest request before it that was answered, and how much of it is in the cache. */
function writtenBy(request: RequestRecord, { requests, answers }: Readonly<Facts>): Source | undefined {
  const seen = new Set<Id>();
  for (let id = request.ancestor; id !== undefined && id !== null && !seen.has(id); id = requests.get(id)?.ancestor) {
    seen.add(id);
    const ancestor = requests.get(id);
    const answer = answers.get(id);
    if (ancestor === undefined) return undefined;
    if (answer === undefined) continue;
    const { read, write } = countsOf(answer);
    return { request: ancestor, answer, tokens: read + write };
  }
  return undefined;
}

type Case = Pick<Account, 'reported' | 'predicted' | 'providerReason'> & {
  readonly request: RequestRecord;
  readonly total: number;
  readonly source: Source | undefined;
  readonly profile: ModelProfile;
};

/** Providers round; this much is no difference. */
const tolerance = (tokens: number): number => Math.max(16, tokens * 0.01);

function explain({ request, reported, predicted, total, source, providerReason, profile }: Case): Difference | null {
  const { price, minimum } = profile;
  const as = (type: Difference['type'], tokens: number, text: string): Difference => {
    const dearer = price === null ? null : ((type === 'below-minimum' ? price.input : price.write5m) - price.read) / 1_000_000;
    return { type, tokens, text, usd: dearer === null ? null : (type === 'shared' ? -tokens : tokens) * dearer };
  };
  const fewer = predicted.read - reported.read;
  if (-fewer > tolerance(predicted.read))
    return as('shared', -fewer, `${-fewer} tokens more were read than this thread had written: another request wrote them`);
  if (reported.read + reported.write === 0 && total < minimum && request.marks.length > 0)
    return as('below-minimum', Math.max(0, fewer), `${total} tokens are fewer than the ${minimum} that this model caches`);
  if (source === undefined || fewer <= tolerance(predicted.read)) return null;
  const { moved } = request;
  if (moved !== undefined) return as('moved', fewer, `message ${moved.at.message} (${moved.owner}) is not what was sent`);
  const minutes = (Date.parse(request.at) - Date.parse(source.request.at)) / 60_000;
  const life = lifeOf(source.request);
  if (life !== null && minutes > life.minutes)
    return as('expired', fewer, `${Math.round(minutes)} minutes after the request before it; its entry lived ${life.minutes}`);
  if (Date.parse(source.answer.at) > Date.parse(request.at))
    return as('not-yet-readable', fewer, 'it left before the request that writes the entry was answered');
  if (providerReason !== null) return as('provider', fewer, `the provider says: ${providerReason}`);
  return as('unexplained', fewer, `${fewer} tokens that were in the cache were not read, and nothing here says why`);
}
