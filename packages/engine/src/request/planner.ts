/**
 * Plans requests of one thread. Messages that were sent are sealed: they are placed once, frozen, and the same objects go
 * into every later request. After a load, a rewind or a boundary they are placed anew and compared with what was sent.
 */
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { ChainRecord, PrefixRecord, RequestRecord } from '../transcript/records.js';
import { countable } from './countable.js';
import { expectedTokens } from './expected.js';
import { deepFreeze } from './freeze.js';
import { headOf, type Head } from './head.js';
import { emptyRoom, type MediaRoom } from './media-room.js';
import { planMarks, withMarks } from './marks.js';
import type { ModelProfile } from './model.js';
import { movedSince, startOfDigest } from './moved.js';
import { ownersOf } from './owned.js';
import { asksForAnswer, MISSING_ANSWER, place } from './place.js';
import type { Placed, Sealed } from './placed.js';
import type { Owned, RequestPlan } from './plan.js';
import { restrict } from './restrict.js';
import { isLongPause, laterTurnFold, pauseFold, prefixFold, requestsAt, requestsInWindow } from './sent.js';
import type { Problem } from './problem.js';
import { validateFrom, type ValidationState } from './validate.js';
import type { MessagesBody, WireMessage } from './wire.js';

export type PlannerOptions = {
  readonly log: TranscriptLog;
  readonly ports: Pick<Ports, 'clock' | 'ids' | 'digest' | 'tokens'>;
  readonly profile: (model: string) => ModelProfile;
  readonly cache: { readonly mode: 'planned' | 'automatic' | 'off'; readonly ttl: '5m' | '1h' | 'auto' };
};

export type Planned = {
  readonly plan: RequestPlan;
  /** Why a provider would refuse it; empty when it can be sent. */
  readonly problems: readonly Problem[];
  readonly request: MessagesBody;
  readonly record: Omit<RequestRecord, 'at' | 'thread' | 'batch' | 'collected'>;
};

/** A request that leaves nothing on the chain. */
export type Aside = {
  readonly purpose: RequestRecord['purpose'];
  readonly words: WireMessage;
  readonly copy?: readonly ChainRecord[] | undefined;
};

type Placement = {
  validation?: ValidationState | undefined;
  readonly prefix: PrefixRecord;
  readonly head: Head;
  /** Digest of the head. */
  readonly base: string;
  readonly headTokens: () => number;
  readonly epoch: number;
  readonly messages: Sealed[];
  records: number;
  readonly ids: Set<string>;
  readonly room: MediaRoom;
  readonly profile: ModelProfile;
  readonly tail: ReadonlySet<Id>;
  /** Answers of before the provider refused thinking. */
  readonly unsigned: ReadonlySet<Id>;
};

/** Identity: one thread's sealed messages. */
export class RequestPlanner {
  readonly #options: PlannerOptions;
  #placement: Placement | undefined;

  constructor(options: PlannerOptions) {
    this.#options = options;
  }

  /** The next request of the thread. What it holds is sealed from now on. */
  plan(prefix: PrefixRecord): Planned {
    const { window } = this.#options.log;
    const placement = this.#current(prefix);
    this.#extend(placement, window.slice(placement.records));
    placement.records = window.length;
    const planned = this.#finish(placement, { purpose: 'turn', words: undefined });
    // What a provider would refuse is looked at again, and stopped again.
    if (planned.problems.length === 0) placement.validation = planned.validation;
    return planned;
  }

  /**
   * This window and words after it. Nothing is sealed by it: what the next step appends still joins the message of its host.
   * `copy`: records to be sent in place of the window's; such a request begins with no other one.
   */
  aside(prefix: PrefixRecord, { copy, ...aside }: Aside): Planned {
    const placement = copy === undefined ? this.#besides(prefix) : this.#copied(prefix, copy);
    if (asksForAnswer(placement.messages.at(-1)?.message.role ?? null)) placement.messages.push(this.#seal(MISSING_ANSWER, placement));
    return this.#finish(placement, { ...aside, alone: copy !== undefined });
  }

  #besides(prefix: PrefixRecord): Placement {
    const current = this.#current(prefix);
    const placement = { ...current, messages: [...current.messages], ids: new Set(current.ids), room: { ...current.room } };
    this.#extend(placement, this.#options.log.window.slice(current.records));
    return placement;
  }

  /** Thinking that is bound to what stood before it does not go into a copy that lacks some of it. */
  #copied(prefix: PrefixRecord, copy: readonly ChainRecord[]): Placement {
    const fresh = this.#fresh(prefix, this.#options.log.epoch);
    const placement = fresh.profile.thinking === 'bound' ? { ...fresh, unsigned: new Set(copy.map(({ id }) => id)) } : fresh;
    this.#extend(placement, copy);
    return placement;
  }

  /** The same with records that are not on the chain; nothing is kept. */
  preview(prefix: PrefixRecord, records: readonly ChainRecord[]): Planned {
    const { log } = this.#options;
    const placement = this.#fresh(prefix, log.epoch);
    this.#extend(placement, [...log.window, ...records]);
    return this.#finish(placement, { purpose: 'turn', words: undefined });
  }

  #current(prefix: PrefixRecord): Placement {
    const { epoch } = this.#options.log;
    if (this.#placement?.epoch !== epoch || this.#placement.prefix.id !== prefix.id) this.#placement = this.#fresh(prefix, epoch);
    return this.#placement;
  }

  #fresh(prefix: PrefixRecord, epoch: number): Placement {
    const { log, ports } = this.#options;
    const head = headOf(prefix);
    const headTokens = once(() => ports.tokens([...head.system, { type: 'text', text: JSON.stringify(head.tools) }]));
    const boundary = log.chain.findLastIndex((record) => record.type === 'compact_boundary');
    const idsUpTo = (end: number) => new Set(log.chain.slice(0, Math.max(0, end)).map((record) => record.id));
    const tail = idsUpTo(boundary);
    // One that is new is on no chain yet; one that is not in memory stands before all that is.
    const isNew = log.read(prefixFold).value?.id !== prefix.id;
    const begins = isNew ? log.chain.length : log.chain.findIndex((record) => record.id === prefix.id);
    const refused = prefix.without?.includes('thinking') === true;
    const unsigned = refused ? idsUpTo(begins) : new Set<Id>();
    const profile = restrict(this.#options.profile(prefix.model), prefix.without);
    return {
      prefix,
      head,
      base: ports.digest(head.bytes),
      headTokens,
      epoch,
      messages: [],
      records: 0,
      ids: new Set(),
      room: emptyRoom(),
      profile,
      tail,
      unsigned,
    };
  }

  #extend(placement: Placement, records: readonly ChainRecord[]): void {
    const { prefix, profile, ids, room, messages, tail, unsigned } = placement;
    const context = {
      model: prefix.model,
      profile,
      ids,
      room,
      last: messages.at(-1)?.message.role ?? null,
      losesThinking: ({ id }: ChainRecord) => unsigned.has(id) || (profile.thinking === 'bound' && tail.has(id)),
    };
    for (const placed of place(records, context)) placement.messages.push(this.#seal(placed, placement));
  }

  #seal(placed: Placed, { base, messages }: Placement): Sealed {
    const { ports } = this.#options;
    const before = messages.at(-1)?.digest ?? base;
    const message = deepFreeze(placed.message);
    const tokens = once(() => estimate(ports, message));
    return { ...placed, message, tokens, digest: ports.digest(before + JSON.stringify(message)) };
  }

  #finish(
    placement: Placement,
    how: { readonly purpose: RequestRecord['purpose']; readonly words: WireMessage | undefined; readonly alone?: boolean },
  ): Planned & { validation: ValidationState } {
    const { log, ports } = this.#options;
    const { head, prefix, messages } = placement;
    const model = placement.profile;
    const ancestor = how.alone === true ? undefined : this.#ancestor(prefix);
    const wire = messages.map(({ message }) => message);
    if (how.words !== undefined) wire.push(deepFreeze(how.words));
    const lastWritten = ancestor?.marks.find((mark) => mark.why === 'newest')?.at ?? null;
    const sent = () => requestsInWindow(log, prefix.id);
    const moved =
      ancestor === undefined
        ? null
        : movedSince(ancestor, { base: placement.base, headTokens: placement.headTokens, messages, sent, price: model.price });
    const { mode } = this.#options.cache;
    const automatic = mode === 'automatic';
    const marks =
      mode === 'off'
        ? []
        : planMarks({ head, messages: wire, lastWritten, ttl: this.#ttl(ancestor !== undefined && moved === null), automatic });
    const bare: MessagesBody = { model: head.model, ...head.params, system: head.system, tools: head.tools, messages: wire };
    const request = freezeOuter(withMarks(bare, marks));
    const { problems, state: validation } = validateFrom(request, model, {
      state: placement.validation,
      marks: marks.flatMap((mark) => (mark.automatic === true ? [] : [mark.at])),
    });
    const id = ports.ids.next();
    const sealed = ancestor === undefined || moved !== null ? 0 : Math.min(ancestor.sealed, messages.length);
    // Counting waits until someone asks, which is seldom before the request has left; by then `messages` may have grown.
    const now = ports.clock.now();
    const held = messages.length;
    const own = () => messages.slice(0, held);
    const words = () => (how.words === undefined ? 0 : estimate(ports, how.words));
    let expected: RequestPlan['expected'] | undefined;
    let owners: readonly Owned[] | undefined;
    const plan: RequestPlan = Object.freeze({
      id,
      prefix: prefix.id,
      head: log.head ?? prefix.id,
      sealed,
      ancestor: ancestor?.id ?? null,
      previous: newestAnswer(log),
      moved,
      marks,
      get expected() {
        return (expected ??= expectedTokens(
          { head: placement.headTokens(), messages: own(), words: words(), sealed, marks, ancestor, now },
          model,
        ));
      },
      get owners() {
        return (owners ??= ownersOf({ head, messages: own(), words: how.words, tokens: ports.tokens }));
      },
    });
    const record = {
      id,
      type: 'request' as const,
      purpose: how.purpose,
      head: plan.head,
      prefix: prefix.id,
      digest: messages.at(-1)?.digest ?? '',
      base: startOfDigest({ digest: placement.base }),
      added: messages.slice(moved === null ? (ancestor?.sealed ?? 0) : 0).map(startOfDigest),
      sealed: messages.length,
      marks,
      ancestor: plan.ancestor,
      ...(moved === null ? {} : { moved }),
    };
    return { plan, problems, validation, request, record };
  }

  /** The nearest earlier request on the chain and in this window with this prefix. */
  #ancestor(prefix: PrefixRecord): RequestRecord | undefined {
    const { log } = this.#options;
    for (let at = log.chain.length - 1; at >= 0; at--) {
      const record = log.chain[at];
      if (record === undefined) break;
      const found = requestsAt(log, record.id, prefix.id).at(-1);
      if (found !== undefined) return found;
      if (record.type === 'compact_boundary' || record.id === prefix.id) break;
    }
    return undefined;
  }

  #ttl(continues: boolean): '5m' | '1h' {
    const { log, ports, cache } = this.#options;
    if (cache.ttl !== 'auto') return cache.ttl;
    const { last, paused } = log.read(pauseFold);
    if (paused || isLongPause(last, ports.clock.now())) return '1h';
    // What a later turn adds first is little, and an entry at its end covers all that stands before it.
    return continues && log.read(laterTurnFold).opens ? '1h' : '5m';
  }
}

/** The outer objects of a marked body; everything inside is frozen already or is made here. */
function freezeOuter(body: MessagesBody): MessagesBody {
  for (const message of body.messages) deepFreeze(message);
  return deepFreeze(body);
}

function newestAnswer(log: TranscriptLog): string | null {
  const answer = log.window.findLast((record) => record.type === 'assistant');
  return answer?.type === 'assistant' ? answer.message.id : null;
}

/** Counted when first asked for. */
function once(count: () => number): () => number {
  let known: number | undefined;
  return () => (known ??= count());
}

function estimate(ports: Pick<Ports, 'tokens'>, message: WireMessage): number {
  return ports.tokens(message.content.flatMap(countable));
}
