/** The contract of an attachment kind: how one piece of context decides whether, when and as what it is told. */
import type { Content, Id, Json } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import type { AttachmentRecord, Effect, Section, TranscriptRecord, Trust } from '../transcript/records.js';
import type { Ports } from './ports.js';

/** Someone's words. `origin` is `human` unless said otherwise. `steered`: the steered words that these are; they wait no longer. */
export type PromptInput = {
  readonly content: readonly Content[];
  readonly origin?: 'human' | 'peer' | 'task' | 'hook';
  readonly steered?: readonly Id[];
  /** What of the content the person said: only that opens files, fetches resources and names agents. Default: all its text. */
  readonly own?: readonly string[];
};

/** When attachments are collected: a prompt is added, results are added, or a window begins in the middle of a turn. */
export type Moment = {
  readonly trigger: 'prompt' | 'tool_results' | 'compaction';
  /** Empty unless someone's words are being added, steering included. */
  readonly prompts: readonly PromptInput[];
  /** What the input group just did, in this same message; no fold has it yet. Empty while the input group itself is asked. */
  readonly effects: readonly Effect[];
  /** False in sub-agents. */
  readonly isMain: boolean;
  /** The record of the words that the turn answers; absent where there are none. */
  readonly prompt?: Id | undefined;
  /** Turns so far, this one included. */
  readonly turn: number;
  /** Assistant steps so far in this turn. */
  readonly step: number;
  /** The system prompt that the message goes out under. */
  readonly system?: readonly Section[] | undefined;
  readonly signal: AbortSignal;
};

/**
 * What a kind has to say now. Unavailable is not nothing: it is reported, and never told as removed. `notes` are for a
 * person, one line each: what was wanted and is not told. The same note may come again; who shows it does so once.
 */
export type Maybe<Data> = (
  | { readonly type: 'nothing' }
  | { readonly type: 'new'; readonly data: Data }
  | { readonly type: 'unavailable'; readonly why: string }
) & { readonly notes?: readonly string[] };

/** What an attachment may fill. */
export type Room = { readonly tokens: number };

/**
 * One kind of context. `collect` looks at the moment and at what was told; `render` makes the text.
 * The record keeps the rendered content, so a resumed session sends the same bytes under a newer version.
 * `Data` follows from what `collect` gives; `NonNullable`, since a compiler without `exactOptionalPropertyTypes` finds `undefined` there.
 */
export interface AttachmentKind<Data, Told, Needs extends keyof Ports = never> {
  /** `snake_case`: the name in transcripts, settings and views. */
  readonly kind: string;
  readonly version: number;
  /** A missing port: the kind is off, and the report says so. */
  readonly needs: readonly Needs[];
  /** Names of what the setting `attachments.<kind>` can say beside on and off. Default: none. */
  readonly options?: readonly string[];
  /** The tool that its text sends the model to. Off in a thread whose tools lack it, and the report says so. */
  readonly tool?: string;
  /** `input`: while someone's words are added. `thread`: at every moment. `main`: likewise, never in a sub-agent. */
  readonly group: 'input' | 'thread' | 'main';
  /** `must`: own deadline of 10 s, shown to the person. `may`: a late answer is kept for the next moment. */
  readonly wait: 'must' | 'may';
  /** Asked when all others have answered: for what becomes ready meanwhile and is not waited for. */
  readonly last?: true;
  readonly trust: Trust;
  /** `opening`: the first message of a window. Default `newest`. */
  readonly position?: 'opening' | 'newest';
  /** Stands behind the results of a step where the model takes that; else, and by default, where the session's setting says. */
  readonly delivery?: 'after-results';
  /**
   * How it comes into the window that a compaction begins: told again with the next message, or once its place is touched again.
   * Absent: it tells of an event, which the summary tells of.
   */
  readonly again?: 'again' | 'when-touched';
  /** Gives up room before all others when the attachments of one message take too much. */
  readonly shortened?: 'first';
  /** Neighbours with one wrap share one reminder; `none`: plain text without a reminder tag. */
  readonly wrap?: string;
  /** What this kind has said already. Records of this kind reach it decoded; undecodable ones don't count as said. */
  readonly told: Fold<Told>;
  /** Reads what `keep` stored, also of an older version; undefined: unknown, so it is said anew. */
  decode(data: Json): unknown;
  collect(moment: Moment, told: Readonly<Told>, ports: Required<Pick<Ports, Needs>>): Maybe<Data> | Promise<Maybe<Data>>;
  /** Pure. `cut` says what was left out for want of room. */
  render(data: NonNullable<Data>, room: Room): { readonly content: readonly Content[]; readonly cut?: string };
  /** What the record stores of the data: at most 4 kB, never file text. Default: the data itself, which is JSON then. */
  keep?(data: NonNullable<Data>): Json;
  /** Pure. The room is that of `render`: what was cut there was not seen. */
  effects?(data: NonNullable<Data>, room: Room): readonly Effect[];
  /** Asked once the record is durable, with what `keep` made of the data: for a source that must know what was told. */
  appended?(kept: Json, ports: Required<Pick<Ports, Needs>>): Promise<void>;
  /** The call whose result this belongs inside; default: the last result of the step. */
  call?(data: NonNullable<Data>): string | undefined;
  /** One line for a person: `date 2026-10-22`. */
  title(data: NonNullable<Data>): string;
  /** One line for a person: `the local day changed`. */
  reason(data: NonNullable<Data>): string;
}

/** Any kind, whatever its data: what a registry holds. */
// oxlint-disable-next-line typescript/no-explicit-any -- a heterogeneous list; each kind is checked where it is defined
export type AnyAttachmentKind = AttachmentKind<any, any, any>;

/** Checks a kind's shape where it is written. */
export function defineAttachment<Data, Told, Needs extends keyof Ports = never>(
  kind: AttachmentKind<Data, Told, Needs>,
): AttachmentKind<Data, Told, Needs> {
  return kind;
}

/** True for attachment records of one kind. */
export function isKind(record: TranscriptRecord, kind: string): record is AttachmentRecord {
  return record.type === 'attachment' && record.kind === kind;
}

/** Fold: what the last attachment of `kind` in the window said. `pick` gets what the kind's `decode` made of it. */
export function lastOf<Data, T>(kind: string, pick: (data: Data) => T): Fold<{ value: T | undefined }> {
  return {
    name: `last-of:${kind}`,
    scope: 'window',
    on: ['attachment'],
    initial: () => ({ value: undefined }),
    step: (state, record) => (isKind(record, kind) ? { value: pick(record.data as Data) } : state),
  };
}
