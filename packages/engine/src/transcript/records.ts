/** Records: the transcript's unit, and the only state there is. Nothing on the chain is ever rewritten. */
import type { Content, Digest, Id, Json, Returned } from '../content/content.js';

/** What a tool result or an attachment did, as data that folds read; so no tool has state of its own. */
export type Effect =
  | { readonly type: 'viewed'; readonly view: FileView }
  | { readonly type: 'wrote'; readonly view: FileView; readonly before: Digest | null }
  | { readonly type: 'touched'; readonly path: string }
  | { readonly type: 'skill' | 'todos' | 'plan' | 'tools' | 'task'; readonly value: Json };

/** What the model has seen of one file. The text itself lies in the blob store under `digest`. */
export type FileView = {
  /** Absolute real path. */
  readonly path: string;
  /** Names the text in the blob store, in the form the model saw. */
  readonly digest: Digest;
  /** Bytes on disk. */
  readonly size: number;
  /** Modification time in nanoseconds, as a decimal string. */
  readonly mtimeNs: string;
  readonly inode: string;
  /** Lines seen, 1-based and inclusive; `all` when the whole file was shown. */
  readonly lines: 'all' | readonly (readonly [first: number, last: number])[];
  /** `instructions`: imports expanded, comments out. Diffs are made in the same form. */
  readonly form: 'raw' | 'instructions';
  /** Taken within two seconds of the modification: an equal stat proves nothing, so the text is compared. */
  readonly racy?: true;
};

/** Where a text comes from. Third-party text never becomes a system message. */
export type Trust = 'client' | 'user' | 'third-party';

/** Where an attachment stands in the message that carries it; decided when appended, and stored. */
export type Delivery =
  | { readonly type: 'before-prompt' | 'after-results' | 'system-message' }
  | { readonly type: 'inside-result'; readonly call: Id };

/** Why a request starts a new prefix. The list is closed. */
export type PrefixCause = 'start' | 'model' | 'effort' | 'fallback' | 'provider-refused' | 'debug';

/** One named piece of the system prompt. Static sections hold nothing per user, machine, folder, clock or version. */
export type Section = { readonly name: string; readonly text: string; readonly static: boolean };

/** What a model is told of one tool. Part of the prefix, so it never changes under one `prefix` record. */
export type ToolSpec = { name: string; description: string; input_schema: { type: 'object'; [key: string]: unknown } };

/** Tokens as a provider reported them. `input_tokens` is only what came after the last cache breakpoint. */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
};

/** A model's answer, stored as returned. */
export type AssistantMessage = {
  readonly id: string;
  readonly model: string;
  readonly content: readonly Returned[];
  readonly stop_reason: string | null;
  readonly usage: Usage;
  /** Why the provider could not read its cache, where it says so: `system_changed`, `messages_changed` … */
  readonly diagnostics?: { readonly cache_miss_reason?: { readonly type: string } | null } | null;
};

/** A position in a request body. In `tools` and `system` only `block` counts. */
export type Place = { readonly section: 'tools' | 'system' | 'messages'; readonly message: number; readonly block: number };

/** A cache breakpoint, and why it is there. */
export type Mark = {
  readonly at: Place;
  readonly ttl: '5m' | '1h';
  readonly why: 'boundary' | 'system' | 'opening' | 'last-written' | 'newest';
  /** Set by the provider, by the parameter at the top of the request: on the last block that takes one. */
  readonly automatic?: true;
};

/** The first message of the sealed prefix that is not what was sent. */
export type Moved = {
  readonly at: Place;
  /** Of the message's first block: `prompt human`. */
  readonly owner: string;
  readonly before: string;
  readonly after: string;
  /** From there on: no longer read from the cache. */
  readonly tokens: number;
  /** What writing them again costs more than reading them; null when the price is unknown. */
  readonly usd: number | null;
};

/** What became of one attachment kind at one moment. */
export type Collected = {
  readonly kind: string;
  readonly outcome: 'new' | 'nothing' | 'unavailable' | 'late' | 'failed' | 'off' | 'cut';
  /** Milliseconds the kind took. */
  readonly ms: number;
  readonly why?: string;
  /** Lines for a person that are neither told to the model nor a failure of the kind: a file that was left out, and why. */
  readonly notes?: readonly string[];
};

type Common = {
  readonly id: Id;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly thread: Id;
  /** Records appended together: all of them are on disk, or none counts. */
  readonly batch: { readonly id: Id; readonly index: number; readonly count: number };
};

type Envelope = Common & {
  /** The record before this one on the chain; null for the first one and for a boundary. */
  readonly parent: Id | null;
};

/** Words of a person, a peer, a finished task, or the summary that follows a boundary. */
export type UserRecord = Envelope & {
  readonly type: 'user';
  readonly content: readonly Content[];
  /** `hook`: a hook did not let the turn end. */
  readonly origin: 'human' | 'peer' | 'task' | 'hook' | 'summary';
};
export type AssistantRecord = Envelope & {
  readonly type: 'assistant';
  readonly message: AssistantMessage;
  /** Name of the model as it was asked for; `message.model` may be a dated form of it. */
  readonly asked: string;
};
/** The result of one call. */
export type ToolResultRecord = Envelope & {
  readonly type: 'tool_result';
  readonly call: Id;
  readonly content: readonly Content[];
  readonly isError: boolean;
  readonly effects: readonly Effect[];
};
/** One piece of injected context, with the bytes that were rendered for it. */
export type AttachmentRecord = Envelope & {
  readonly type: 'attachment';
  readonly kind: string;
  readonly version: number;
  /** What the kind remembers of it: at most 4 kB, never file text. */
  readonly data: Json;
  readonly content: readonly Content[];
  /** The record that it came with. */
  readonly host: Id;
  readonly delivery: Delivery;
  readonly trust: Trust;
  /** Neighbours with one wrap share one reminder; `none`: plain text without a reminder tag. */
  readonly wrap: string | null;
  readonly title: string;
  readonly reason: string;
  readonly effects: readonly Effect[];
};
/** From here on a new window: what stands before it is no longer sent, except a kept tail. */
export type BoundaryRecord = Envelope & {
  readonly type: 'compact_boundary';
  /** The head that was compacted away. */
  readonly before: Id;
  /** First record of the kept tail, or null when nothing is kept. */
  readonly keepFrom: Id | null;
  readonly trigger: 'auto' | 'manual' | 'overflow';
  /** Estimated tokens of the whole request that was compacted, system and tools included. */
  readonly preTokens: number;
  /** The model that was asked for the summary, and what that took. Absent: no model wrote it. */
  readonly summary?: { readonly model: string; readonly usage: Usage };
};
/** The rendered head of all requests that follow, until the next `prefix`. */
export type PrefixRecord = Envelope & {
  readonly type: 'prefix';
  readonly cause: PrefixCause;
  readonly system: readonly Section[];
  readonly tools: readonly ToolSpec[];
  readonly model: string;
  /** Parameters that are part of the cache key (thinking, effort, tool_choice). */
  readonly params: Json;
  /** Name and version of the client that rendered it. */
  readonly client: string;
  /** Which layer of the system prompt won, which were given in vain, and whether the mode was proactive. Absent: it has no layers. */
  readonly layer?: Layer;
  /** Sections that are not in it, with why. What was late or failed stays out for the session. */
  readonly absent?: readonly Collected[];
  /** What the provider has refused in this session. */
  readonly without?: readonly Restriction[];
};

export type Layer = { readonly won: string; readonly lost: readonly string[]; readonly proactive: boolean };
/** `thinking`: answers before the prefix go out without theirs. `system-message`: no system messages among the messages. */
export type Restriction = 'thinking' | 'system-message';

/** Records on the chain: a request is made of these. */
export type ChainRecord = UserRecord | AssistantRecord | ToolResultRecord | AttachmentRecord | BoundaryRecord | PrefixRecord;

/** What was sent. Written before the request leaves. */
export type RequestRecord = Common & {
  readonly type: 'request';
  readonly purpose: 'turn' | 'summary' | 'side';
  readonly head: Id;
  readonly prefix: Id;
  /** Running digest of head and messages (`request/planner.ts`), so that a resume can tell whether a byte moved. */
  readonly digest: string;
  /** Start of the digest of system, tools, model and parameters, which the running one begins with. Absent in older files. */
  readonly base?: string;
  /** Starts of the running digests at each message since the request before this one, so that a moved byte can be found. */
  readonly added: readonly string[];
  /** How many messages the request held: all of these are sealed from now on. */
  readonly sealed: number;
  readonly marks: readonly Mark[];
  /** The nearest earlier request that this one begins with; null: there is none. Absent in files of before this was kept. */
  readonly ancestor?: Id | null;
  /** Only when something has. */
  readonly moved?: Moved;
  readonly collected: readonly Collected[];
};
/** Something waiting to be delivered, or taken back before it was. */
export type QueueRecord = Common & {
  readonly type: 'queue';
  readonly operation: 'enqueue' | 'remove';
  readonly item: Id;
  readonly value?: Json;
};
/**
 * A setting of the session that a rewind does not undo. `head` moves the chain's head; `agent` names a spawned thread; `usage` is
 * what a question beside the conversation took, as `{ model, usage }`.
 */
export type StateRecord = Common & {
  readonly type: 'state';
  readonly key: 'model' | 'mode' | 'effort' | 'title' | 'head' | 'injection' | 'agent' | 'style' | 'kinds' | 'usage';
  readonly value: Json;
};
/** A line that is not ours, or not readable. It stays in the file as it was; in memory its text may be left out. */
export type ForeignRecord = Common & { readonly type: 'foreign'; readonly line: string };

/** Records beside the chain: a rewind does not undo these. */
export type SessionRecord = RequestRecord | QueueRecord | StateRecord | ForeignRecord;
export type TranscriptRecord = ChainRecord | SessionRecord;
