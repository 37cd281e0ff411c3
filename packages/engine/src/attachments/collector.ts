/**
 * Asks every kind what it has to say now: side by side, each under its deadline, none able to break the turn. Late answers
 * are kept for the next moment.
 */
import type { Id } from '../content/content.js';
import { messageOf } from '../content/message-of.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { Collected, Effect } from '../transcript/records.js';
import type { AnyAttachmentKind, Maybe, Moment, Room } from './contract.js';
import { whyMissing } from './missing-port.js';
import { toldFold } from './told.js';
import type { Ports } from './ports.js';

/** Milliseconds. `must`: own deadline; `may`: after all others, and in all. Kinds of the opening are told once a window, so they get the whole second. */
const DEADLINE = { must: 10_000, grace: 150, may: 1_000 } as const;

export type CollectorOptions = {
  readonly kinds: readonly AnyAttachmentKind[];
  readonly log: TranscriptLog;
  readonly ports: Ports;
  /** Why a kind is off; undefined when it is not. */
  readonly off: (kind: AnyAttachmentKind) => string | undefined;
  readonly isMain: boolean;
};

export type Found = {
  readonly kind: AnyAttachmentKind;
  readonly data: unknown;
  /** The call whose result it belongs to, named from outside; default: what the kind's own `call` says. */
  readonly call?: Id | undefined;
};
export type Collection = { readonly found: readonly Found[]; readonly report: readonly Collected[] };

type Answer = { readonly maybe: Maybe<unknown> } | { readonly error: string };
type Asked = {
  readonly kind: AnyAttachmentKind;
  /** The log's, when it was asked. */
  readonly epoch: number;
  readonly started: number;
  promise: Promise<void>;
  answer: Answer | undefined;
  ended: number;
};

/** Identity: one thread's late answers. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #late = new Set<Asked>();

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /**
   * The input group first, so that its effects are known to the others; then the rest side by side; then those that want to
   * be last. Order: opening, input, catalogue.
   */
  async collect(asked: Omit<Moment, 'effects' | 'isMain'>): Promise<Collection> {
    const { kinds, isMain } = this.#options;
    const moment = { ...asked, isMain };
    const input = moment.prompts.length > 0 ? kinds.filter((kind) => kind.group === 'input') : [];
    const others = kinds.filter((kind) => kind.group === 'thread' || (kind.group === 'main' && isMain));
    const first = await this.#ask(input, { ...moment, effects: [] });
    // Rooms are given later; what a cut leaves out is up to date all the same, since it was read just now.
    const effects = first.found.flatMap(({ kind, data }) => effectsOf(kind, data, { tokens: Number.POSITIVE_INFINITY }));
    const isLast = (kind: AnyAttachmentKind) => kind.last === true;
    const second = await this.#ask(
      others.filter((kind) => !isLast(kind)),
      { ...moment, effects },
    );
    const third = await this.#ask(others.filter(isLast), { ...moment, effects });
    const opening = (found: Found) => found.kind.position === 'opening';
    const found = [...second.found, ...third.found];
    return {
      found: [...found.filter(opening), ...first.found, ...found.filter((one) => !opening(one))],
      report: [...first.report, ...second.report, ...third.report],
    };
  }

  async #ask(kinds: readonly AnyAttachmentKind[], moment: Moment): Promise<Collection> {
    const { clock } = this.#options.ports;
    const found: Found[] = [];
    const report: Collected[] = [];
    const asked: Asked[] = [];
    for (const kind of kinds) {
      const off = this.#whyOff(kind);
      if (off !== undefined) report.push({ kind: kind.kind, outcome: 'off', ms: 0, why: off });
      else {
        const late = this.#lateOf(kind);
        asked.push(...late);
        // An answer to earlier words says nothing of these.
        if (late.length === 0 || kind.group === 'input') asked.push(this.#start(kind, moment));
      }
    }
    await waitFor(asked, clock, moment.signal);
    for (const one of asked) {
      if (one.answer === undefined) this.#late.add(one);
      else this.#late.delete(one);
      const entry = outcomeOf(one, Math.max(0, (one.answer === undefined ? clock.now() : one.ended) - one.started));
      report.push(entry);
      if (entry.outcome === 'new' && one.answer !== undefined && 'maybe' in one.answer && one.answer.maybe.type === 'new')
        found.push({ kind: one.kind, data: one.answer.maybe.data });
    }
    return { found, report };
  }

  #whyOff(kind: AnyAttachmentKind): string | undefined {
    const { off, ports } = this.#options;
    const why = off(kind);
    if (why !== undefined) return why;
    const missing = kind.needs.find((name: keyof Ports) => ports[name] === undefined);
    return missing === undefined ? undefined : whyMissing(missing);
  }

  /** What came late is still right as long as nothing was told since: a kind's state moves only with what it told. */
  #lateOf(kind: AnyAttachmentKind): readonly Asked[] {
    const late = [...this.#late].filter((one) => one.kind === kind);
    for (const one of late) if (one.epoch !== this.#options.log.epoch) this.#late.delete(one);
    return late.filter((one) => this.#late.has(one));
  }

  #start(kind: AnyAttachmentKind, moment: Moment): Asked {
    const { log, ports } = this.#options;
    const asked: Asked = { kind, epoch: log.epoch, started: ports.clock.now(), promise: Promise.resolve(), answer: undefined, ended: 0 };
    const done = (answer: Answer) => void Object.assign(asked, { answer, ended: ports.clock.now() });
    const failed = (error: unknown) => done({ error: messageOf(error) });
    try {
      const maybe = kind.collect(moment, log.read(toldFold(kind)), ports);
      if (maybe instanceof Promise) asked.promise = maybe.then((value: Maybe<unknown>) => done({ maybe: value }), failed);
      else done({ maybe });
    } catch (error) {
      failed(error);
    }
    return asked;
  }
}

function outcomeOf({ kind, answer }: Asked, ms: number): Collected {
  const entry = { kind: kind.kind, ms };
  if (answer === undefined) return { ...entry, outcome: 'late', why: `no answer after ${ms} ms; kept for the next message` };
  if ('error' in answer) return { ...entry, outcome: 'failed', why: answer.error };
  const { notes = [] } = answer.maybe;
  const told = { ...entry, ...(notes.length === 0 ? {} : { notes }) };
  if (answer.maybe.type === 'unavailable') return { ...told, outcome: 'unavailable', why: answer.maybe.why };
  return { ...told, outcome: answer.maybe.type };
}

/** What a kind's data did, as far as it was shown in this room; a kind whose `effects` throws has none. */
export function effectsOf(kind: AnyAttachmentKind, data: unknown, room: Room): readonly Effect[] {
  try {
    return kind.effects?.(data, room) ?? [];
  } catch {
    return [];
  }
}

/** Waits until all have answered, or the deadlines have passed. Timers are cleared, so that none holds the process. */
async function waitFor(asked: readonly Asked[], clock: Ports['clock'], signal: AbortSignal): Promise<void> {
  if (signal.aborted || asked.every((one) => one.answer !== undefined)) return;
  const timers = new AbortController();
  const stop = AbortSignal.any([signal, timers.signal]);
  const until = (ms: number) => clock.sleep(ms, stop).catch(() => undefined);
  const open = (kinds: (one: Asked) => boolean) =>
    Promise.all(asked.filter((one) => kinds(one) && one.answer === undefined).map((one) => one.promise));
  // The signal lives as long as a turn: what listens to it has to go again.
  const aborted = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  try {
    const second = until(DEADLINE.may);
    const patient = (one: Asked) => one.kind.wait === 'must';
    await Promise.race([open(patient), until(DEADLINE.must), aborted]);
    await Promise.race([open((one) => one.kind.position === 'opening'), second, aborted]);
    const grace = asked.some((one) => one.answer === undefined) ? until(DEADLINE.grace) : undefined;
    await Promise.race([open(() => true), ...(grace === undefined ? [] : [grace, second]), aborted]);
  } finally {
    timers.abort();
  }
}
