/** The embedder's API. The agent is its first client and uses nothing else. */
import type { AnyAttachmentKind, PromptInput } from '../attachments/contract.js';
import type { TaskChange } from '../attachments/parts/task-effects.js';
import type { Ports } from '../attachments/ports.js';
import type { Content, Id, Json } from '../content/content.js';
import type { EffectivePrompt } from '../prompt/layers.js';
import type { PromptPart } from '../prompt/system-section.js';
import type { PrefixDrift } from '../request/compare.js';
import type { ModelProfile } from '../request/model.js';
import type { AuditReport, RequestPlan } from '../request/plan.js';
import type { MessagesBody } from '../request/wire.js';
import type { Transcript } from '../transcript/fold.js';
import type { AssistantMessage, BoundaryRecord, Collected, Effect, Restriction, ToolSpec, Trust, Usage } from '../transcript/records.js';
import type { Blobs, Store } from '../transcript/store.js';
import type { Analysis } from '../window/analyze.js';
import type { Fullness } from '../window/fullness.js';
import type { Shrunk } from '../window/shrink.js';
import type { Standing } from '../window/standing.js';
import type { SpawnedAgent } from './agents.js';

/** Something to tell a thread. `wake` resumes an idle loop. */
export type Notice = {
  readonly text: string;
  readonly trust: Trust;
  readonly wake: boolean;
  /** The state of a task that it tells, so that nothing else tells it. */
  readonly task?: TaskChange;
};

/** Words that wait for the next message. */
export type Steered = { readonly id: Id; readonly content: readonly Content[] };

export type ToolCall = { readonly id: Id; readonly name: string; readonly input: unknown };

/** What a tool gave back. `display` is for the person only. */
export type ToolOutcome = {
  readonly content: readonly Content[];
  readonly isError?: boolean;
  readonly effects?: readonly Effect[];
  readonly display?: Json;
};

/** One request, ready to be sent. */
export type Step = {
  /** Frozen; assignable to the SDK's parameters together with `max_tokens`. */
  readonly request: MessagesBody;
  readonly plan: RequestPlan;
  /** What was appended beside words and results; also what is for the person alone and has no text in the request. */
  readonly injected: readonly { readonly kind: string; readonly title: string }[];
  readonly report: readonly Collected[];
};

/** A request beside the chain. `leftOut`: what a copy of the window lacks; absent when it is the window itself. */
export type AsideStep = Pick<Step, 'request' | 'plan'> & { readonly leftOut?: Shrunk['leftOut'] };

/** Why a request is made anew, and with what difference. */
export type Retry =
  | { readonly cause: 'provider-refused'; readonly without: Restriction }
  | { readonly cause: 'fallback'; readonly model: string };

/** `signal` ends the waiting for attachments; what is not there by then is reported as late. */
export type StepOptions = { readonly signal?: AbortSignal };

/** One answer of a model that is no part of the conversation. `model`: as it was asked for. */
export type Aside = { readonly model: string; readonly usage: Usage };

/** A thread beside the main one. A fork has its parent's window, system prompt and tools, so it reads the parent's cache. */
export type SpawnSpec = {
  /** Type of the agent: `Explore`. */
  readonly agent: string;
  /** What it is called by others. Default: by its id. */
  readonly name?: string;
  /** A plain name. Default: from `ports.ids`. */
  readonly id?: Id;
  /** The thread that spawns it. Default: the main one. */
  readonly parent?: Id;
  /** Where it works, when that is not where the session does; kept for whoever goes on with it. */
  readonly cwd?: string;
  /** Kinds that are off in it, with the reason, beside those of the session. */
  readonly off?: Readonly<Record<string, string>>;
  /** In place of the session's. */
  readonly ports?: Partial<Ports>;
} & (
  | { readonly from: 'fork' }
  | {
      readonly from: 'fresh';
      readonly tools: readonly ToolSpec[];
      /** Default: the session's. */
      readonly system?: SystemSource;
      /** Default: the parent's, as it is now. */
      readonly model?: string;
      /** Default: the parent's, with the model's own default of thinking. */
      readonly params?: Readonly<Record<string, Json>>;
    }
);

/** What a session remembers on someone's word. */
export type SettingKey = 'model' | 'mode' | 'effort' | 'title' | 'injection' | 'style' | 'kinds';

export interface Session {
  readonly id: Id;
  readonly main: Thread;
  /** Where tools put the texts of files that they showed (`viewed` in `@sidenote/node`). */
  readonly blobs: Blobs;
  /** What the load noticed, of a forked session too: unreadable lines, writes that were cut short. Empty for a new session. */
  readonly notes: readonly string[];
  /** Throws `UnknownThreadError` for a parent that is none. */
  spawn(spec: SpawnSpec): Promise<Thread>;
  /** Threads that are open in this process, the main one first. */
  readonly threads: readonly Thread[];
  /** All that were spawned in this session, in an earlier process too. */
  readonly agents: readonly SpawnedAgent[];
  /** A spawned thread; from the store where it was spawned by an earlier process. `ports` count then. Throws `UnknownThreadError`. */
  thread(id: Id, how?: { readonly ports?: Partial<Ports> }): Promise<Thread>;
  /** To the main thread. Durable before it resolves; delivered once on any chain. */
  notify(item: Notice): Promise<Id>;
  /** Notices that no message of the main thread has delivered yet. */
  readonly pending: readonly Notice[];
  /**
   * A setting that a rewind does not undo; `model`, `effort` and `injection` begin a new prefix with the next prompt. `injection`
   * is for debugging: text that stands at the end of the system prompt until it is set to null. `kinds` switches kinds of
   * context `on` or `off` by name, over `off` of the session's options; `style` is the embedder's.
   */
  set(key: SettingKey, value: Json): Promise<void>;
  /** What a question beside the conversation took (a judge, a search), so that what the session took holds it, too. */
  spent(aside: Aside): Promise<void>;
  close(): Promise<void>;
}

/** idle -> prompt -> ready -> response -> results | idle -> next -> ready … ; a call out of turn throws `ThreadStateError`. */
export interface Thread {
  readonly id: Id;
  readonly state: 'idle' | 'ready' | 'results';
  readonly transcript: Transcript;
  /** Collect, append, plan. */
  prompt(input: PromptInput | string, how?: StepOptions): Promise<Step>;
  /** Null: the main thread. */
  readonly agent: SpawnedAgent | null;
  /** Durable before it resolves; delivered once on any chain. */
  notify(item: Notice): Promise<Id>;
  /** Notices that no message of this thread has delivered yet. */
  readonly pending: readonly Notice[];
  /** What another agent, or the person, says to this agent: durable before it resolves, delivered once on any chain. */
  message(message: { readonly from: string; readonly text: string }): Promise<Id>;
  /** True while such a message waits. */
  readonly hasMessages: boolean;
  /** Words typed while it works: durable now, out with `next()`. */
  steer(input: PromptInput | string): Promise<Id>;
  /** Steered words that no message of this thread has delivered yet, oldest first. */
  readonly steered: readonly Steered[];
  /** Takes steered words back. False: they are on their way to the model, or were delivered. */
  withdraw(item: Id): Promise<boolean>;
  /** Stores the answer as returned; its calls are to be answered by `result`. Tool inputs come with reminder tags restored. */
  response(message: AssistantMessage): Promise<readonly ToolCall[]>;
  /** On disk as each one ends; order on the wire is call order. */
  result(call: Id, result: ToolOutcome | string): Promise<void>;
  /** All results are in: collect, append, plan. */
  next(how?: StepOptions): Promise<Step>;
  /** Pushed text (hooks): out with the next message, by the same door. Throws `UnknownKindError`. */
  attach(kind: string, data: Json, call?: Id): void;
  /**
   * The newest request once more under a new prefix, when a provider refused it or did not answer: for `ready` threads, which
   * stay so. What was refused stays left out for the session; a model that stepped in stays until `set('model', …)`.
   */
  retry(how: Retry): Promise<Step>;
  /**
   * Mends by appending: calls without a result get an error result. The state becomes idle. `begun` false: none of them began,
   * and the model is told so. Default true.
   */
  interrupt(why: string, how?: { readonly begun?: boolean }): Promise<void>;
  /**
   * This window plus words; leaves only a request record, and nothing on the chain. With `part` (0 to 1) a copy of the window
   * is sent that has only so much of its tokens, by estimate: the oldest results are left out first.
   */
  aside(words: string, purpose: 'summary' | 'side', how?: { readonly part?: number }): Promise<AsideStep>;
  /**
   * The boundary; in the middle of a turn also the attachments of trigger `compaction`. All results must be in. `writtenBy`: the
   * model that wrote the summary, and what that took.
   */
  compact(
    summary: readonly Content[],
    keepFrom: Id | null,
    trigger?: 'auto' | 'manual' | 'overflow',
    how?: { readonly writtenBy?: NonNullable<BoundaryRecord['summary']> },
  ): Promise<Step>;
  /** Tokens that content is likely to be, as the session's port counts. */
  tokens(content: readonly Content[]): number;
  /** How full the window is. Cost: what came since the newest answer. */
  readonly fullness: Fullness;
  /** What stands in every window: system and tools, and what comes again after a compaction. Cost: the window. */
  readonly standing: readonly Standing[];
  /** A new head; files, mode and model stay as they are. */
  rewind(to: Id): Promise<void>;
  /** The same path as `prompt`; nothing is appended and no hook runs. */
  preview(input: PromptInput | string): Promise<Step>;
  /**
   * Where the system prompt and the tools of now differ from the stored prefix, section by section and to the byte. The stored
   * bytes are sent; the first step after a resume says so in its report (`prefix`).
   */
  drift(): Promise<readonly PrefixDrift[]>;
  /** Of the newest request. */
  readonly audit: AuditReport;
  /** The same by owner, summing up to the whole; null before the first. Cost: the request. */
  readonly analysis: Analysis | null;
}

/** Sections, computed or not, with the layers they come from: what `effectivePrompt` gives. */
export type SystemPrompt = { readonly sections: readonly PromptPart[] } & Partial<Pick<EffectivePrompt, 'won' | 'lost' | 'proactive'>>;

type SystemParts = readonly PromptPart[] | SystemPrompt;
/** Renders the system prompt; asked once per `prefix` record. */
export type SystemSource = string | SystemParts | ((context: { readonly model: string }) => SystemParts | Promise<SystemParts>);

export type SessionOptions = {
  readonly model: string;
  readonly tools: readonly ToolSpec[];
  readonly system: SystemSource;
  readonly store: Store;
  readonly ports: Partial<Ports>;
  /** A session id: same bytes as before, nothing said twice. */
  readonly resume?: string | undefined;
  /** Copy the resumed session's window into a new session. */
  readonly fork?: boolean;
  /** Id of a new session; default: from `ports.ids`. */
  readonly id?: Id;
  /** Default: every built-in kind. */
  readonly kinds?: readonly AnyAttachmentKind[];
  /** The mode that a new session begins with: kept with its first words, as `set('mode', …)` keeps a later one. */
  readonly mode?: string;
  /** Kinds that are off, with the reason that the report gives. */
  readonly off?: Readonly<Record<string, string>>;
  /** Options of single kinds, by kind. */
  readonly kindOptions?: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** Default: from the built-in table, by model name. */
  readonly profile?: (model: string) => ModelProfile;
  /** Part of the cache key: `thinking`, `output_config` …; kept in the `prefix` record and spread into every request. */
  readonly params?: Readonly<Record<string, Json>>;
  /** `share`: of the window that the attachments of one message may take, 0 to 1; default 0.1. */
  readonly reminders?: { readonly delivery: 'inside-result' | 'after-results' | 'system-message' | 'auto'; readonly share?: number };
  readonly cache?: { readonly mode?: 'planned' | 'automatic' | 'off'; readonly ttl?: '5m' | '1h' | 'auto' };
  /** Where the git snapshot stands: in the opening of each window (default), or once at the end of the system prompt. */
  readonly git?: { readonly position?: 'opening' | 'system' };
  /** Fields that every line carries for other readers of the file: `cwd`, `gitBranch`, `version` … */
  readonly fields?: Readonly<Record<string, Json>>;
  /** Called after each answer, for an embedder's own metrics. What it throws is reported with the next step, and ends nothing. */
  readonly measure?: (analysis: Analysis) => void;
  /** Name and version, for the `prefix` record. Default `sidenote`. */
  readonly client?: string;
};
