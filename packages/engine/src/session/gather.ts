/** What one moment adds besides words and results: every kind asked, cut to its room, and given its place. Nothing is appended here. */
import { renderAll, type Rendered } from '../attachments/arbiter.js';
import { Collector, type Found } from '../attachments/collector.js';
import type { AnyAttachmentKind, Moment, PromptInput } from '../attachments/contract.js';
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import { messageOf } from '../content/message-of.js';
import type { ModelProfile } from '../request/model.js';
import { restrict } from '../request/restrict.js';
import { prefixFold } from '../request/sent.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { Collected, PrefixRecord } from '../transcript/records.js';
import { fillPort } from './fill.js';
import { attachmentDraft, type Host } from './delivery.js';
import { gitStandsInSystem } from './prefix.js';
import type { SessionOptions } from './session.js';
import { whyOff } from './switches.js';
import type { Draft } from './writer.js';

export type Added = {
  readonly trigger: Moment['trigger'];
  readonly host: Host;
  /** Where everything but the opening goes, when that is another message. */
  readonly newest?: Host | undefined;
  readonly drafts: readonly Draft[];
  readonly prompts: readonly PromptInput[];
  /** The record of the words that the turn answers. */
  readonly prompt?: Id | undefined;
  readonly turn: number;
  readonly step: number;
  readonly signal?: AbortSignal | undefined;
};

export type Gathered = {
  readonly attachments: readonly Draft[];
  readonly rendered: readonly Rendered[];
  readonly report: readonly Collected[];
  /** How many of the pushed ones are among them. */
  readonly pushed: number;
};

type Prefix = Pick<PrefixRecord, 'model' | 'system' | 'tools' | 'absent' | 'without'>;

export type GatherOptions = {
  readonly isMain: boolean;
  readonly log: TranscriptLog;
  readonly ports: Ports;
  readonly kinds: readonly AnyAttachmentKind[];
  readonly profile: (model: string) => ModelProfile;
  readonly session: SessionOptions;
};

/** Identity: one thread's late answers, and what was pushed and waits for the next message. */
export class Gatherer {
  readonly #options: GatherOptions;
  readonly #collector: Collector;
  #prefix: Prefix | null = null;
  #pushed: Found[] = [];

  constructor(options: GatherOptions) {
    this.#options = options;
    const { kinds, log, isMain } = options;
    const ports = { fill: fillPort(options), options: optionsPort(options), ...options.ports };
    this.#collector = new Collector({ kinds, log, ports, off: (kind) => this.#whyOff(kind), isMain });
  }

  push(found: Found): void {
    this.#pushed.push(found);
  }

  /** The first `count` of the pushed ones are on the chain. */
  delivered(count: number): void {
    this.#pushed.splice(0, count);
  }

  #whyOff({ kind, tool }: AnyAttachmentKind): string | undefined {
    const set = whyOff(kind, { log: this.#options.log, off: this.#options.session.off });
    if (set !== undefined || this.#prefix === null) return set;
    if (tool !== undefined && !this.#prefix.tools.some(({ name }) => name === tool)) return `there is no tool ${tool} in this thread`;
    return kind === 'git_snapshot' ? gitStandsInSystem(this.#prefix) : undefined;
  }

  /** Tells each kind what is on the chain now. What fails here has been told all the same, and is reported. */
  async appended(rendered: readonly Rendered[]): Promise<readonly Collected[]> {
    const failed: Collected[] = [];
    for (const { kind, data } of rendered) {
      try {
        await kind.appended?.(data, this.#options.ports);
      } catch (error) {
        failed.push({ kind: kind.kind, outcome: 'failed', ms: 0, why: messageOf(error) });
      }
    }
    return failed;
  }

  /** Pushed or collected: opening, input group, then the catalogue. */
  #inOrder(found: readonly Found[]): readonly Found[] {
    const place = ({ kind }: Found): number =>
      this.#options.kinds.indexOf(kind) - (kind.position === 'opening' ? 2e6 : kind.group === 'input' ? 1e6 : 0);
    return found.toSorted((a, b) => place(a) - place(b));
  }

  async gather({
    trigger,
    host,
    newest = host,
    drafts,
    prompts,
    prompt,
    turn,
    step,
    signal = new AbortController().signal,
  }: Added): Promise<Gathered> {
    const { log, ports, profile, session } = this.#options;
    const fresh = drafts.find((draft) => draft.type === 'prefix');
    const prefix = fresh ?? log.read(prefixFold).value;
    this.#prefix = prefix;
    const model = restrict(profile(prefix?.model ?? session.model), prefix?.without);
    const { found, report } = await this.#collector.collect({ trigger, prompts, prompt, turn, step, system: prefix?.system, signal });
    const pushed = [...this.#pushed];
    // That a kind is off is in the collector's report.
    const wanted = pushed.filter((one) => this.#whyOff(one.kind) === undefined);
    const { rendered, report: cuts } = renderAll(this.#inOrder([...wanted, ...found]), {
      window: model.window,
      tokens: ports.tokens,
      share: session.reminders?.share,
    });
    const setting = session.reminders?.delivery ?? 'inside-result';
    const attachments = rendered.map((one) =>
      attachmentDraft(one, ports.ids.next(), { trigger, host: one.kind.position === 'opening' ? host : newest, setting, profile: model }),
    );
    return { attachments, rendered, report: [...(fresh?.absent ?? []), ...report, ...cuts], pushed: pushed.length };
  }
}

function optionsPort({ log, session: { kindOptions, off } }: GatherOptions): NonNullable<Ports['options']> {
  return {
    of: (kind) => (kindOptions !== undefined && Object.hasOwn(kindOptions, kind) ? kindOptions[kind] : undefined) ?? {},
    isOff: (kind) => whyOff(kind, { log, off }) !== undefined,
  };
}
