/** Ports: what the engine needs from outside. A missing port is *off*; an unavailable one is not *empty*. */
import type { Content, Digest, Id, Json } from '../content/content.js';
import type { Packing } from '../transcript/past.js';
import type { FileView, Section, Trust } from '../transcript/records.js';
import type { Blobs } from '../transcript/store.js';
import type { TaskChange, TaskState } from './parts/task-effects.js';
import type { ListedTask } from './parts/todo-lines.js';

/** One answer of a source: a value with its version, or why there is none. */
export type Reading<T> =
  | { readonly type: 'ready'; readonly value: T; readonly version: string }
  | { readonly type: 'unavailable'; readonly why: string };

/** Answers at once with what it knows and refreshes behind. `unavailable` is not empty: nothing is told as removed. */
export interface Source<T> {
  read(signal: AbortSignal): Reading<T> | Promise<Reading<T>>;
}

/** One instruction file as it is to be told, imports expanded and comments out. */
export type InstructionFile = {
  readonly path: string;
  /** `managed`, `user`, `project`, `local` … */
  readonly scope: string;
  readonly text: string;
  /** `loaded`, or why it is not: `shadowed`, `excluded`, `missing`, `unreadable`, `cut` … Only loaded and cut files are told. */
  readonly status: string;
  /** For a person: why it is here, or why not. */
  readonly reason: string;
  /** Where it was named: the file that imports it and the line there, or the setting that leaves it out and its file. */
  readonly from?: { readonly file?: string; readonly line?: number; readonly setting?: string };
  /** Of a file that is for some paths only: the pattern that a touched one matches. */
  readonly glob?: string;
  /** One line that a person should get without asking: which file, what is wrong, and what helps. */
  readonly warning?: string;
  /** Its `digest` is that of `whole`, else of `text`. Absent when the file can't be watched for changes. */
  readonly view?: FileView;
  /** The whole text of a file that is told in part and watched all the same. Default: `text`. */
  readonly whole?: string;
  /** Told in the main thread alone: what someone remembers is no matter of a sub-agent's task. */
  readonly mainOnly?: true;
};
export type GitSnapshot = { readonly text: string };
/** A change by someone else of a file that the model has seen. `view` is what it has seen once it has read the hunks. */
export type FileChange = {
  readonly path: string;
  readonly change: 'edited' | 'deleted' | 'renamed';
  /**
   * Unified-diff hunks, `@@` lines included. Empty: the change lies outside the lines seen, or is too large to diff. Of
   * instructions that changed so much, the new text instead.
   */
  readonly hunks: readonly string[];
  readonly view: FileView | null;
  /** New path of a renamed file. */
  readonly to?: string;
  /** Changed lines (added and removed), also when no hunks are given. */
  readonly changedLines?: number;
  /** What to say beside the hunks, or instead of them. */
  readonly note?: string;
};
/** What another agent or the person said to a running agent. */
export type AgentMessage = {
  readonly id: Id;
  /** Name of the sender. */
  readonly from: string;
  readonly text: string;
};
/** A message in a team's mailbox. */
export type Mail = AgentMessage & {
  /** ISO 8601, UTC. */
  readonly at: string;
};
/** A team as one of its members sees it. */
export type Team = {
  readonly name: string;
  /** Own name. */
  readonly self: string;
  /** Everyone, oneself included. */
  readonly members: readonly { readonly name: string; readonly role: string }[];
  /** What workers can use, for a lead that only delegates. */
  readonly workerTools?: readonly string[];
};
export type Listed = { readonly name: string; readonly description: string };
/** A skill that the model may load. `folder`: the skills folder below the working directory that it was found in. */
export type ListedSkill = Listed & { readonly folder?: string };
/** Skills of the start, and of the folders that something was touched in. */
export interface SkillsPort {
  /** `touched`: paths, in the order of their touches. `notes` are for a person: skills that were left out, and why. */
  read(touched: readonly string[], signal: AbortSignal): Promise<Reading<readonly ListedSkill[]> & { readonly notes?: readonly string[] }>;
  /** Characters that a listing may take, names included. */
  room(): number;
  /** Names of those that fit these words, the best first; empty when none does. */
  search(words: string, among: readonly ListedSkill[], signal: AbortSignal): Promise<readonly string[]>;
}
/** Tools that are found by search, under the name of who offers them. Null: can't be asked now, so what was told of them stands. */
export type ToolGroup = { readonly name: string; readonly tools: readonly string[] | null };
/** `instructions` are known of a server that is ready; of any other, what was told stands. */
export type McpServer = { readonly name: string; readonly state: 'connecting' | 'ready' | 'failed'; readonly instructions: string };
/** An `@server:uri` in someone's words. */
export type ResourceMention = { readonly raw: string; readonly server: string; readonly uri: string };
export type ResourceReading =
  | { readonly type: 'resource'; readonly content: readonly Content[] }
  | { readonly type: 'unusable'; readonly why: string };
/** Text that a person has selected in an editor. */
export type Selection = {
  readonly path: string;
  readonly text: string;
  /** From 1, inclusive. */
  readonly lines: readonly [first: number, last: number];
};
/** A problem that an editor or a language server sees. */
export type Diagnostic = {
  /** From 1. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Who says so: `ts`, `eslint`. */
  readonly source?: string;
  readonly code?: string;
};
/** All problems of one file as it is now; an empty list says that it has none. */
export type FileProblems = { readonly path: string; readonly problems: readonly Diagnostic[] };
/** A memory as it is to be told. `reason` says why it was recalled. */
export type Memory = InstructionFile;

/** An `@path` in someone's words: `@a.ts`, `@"a b.ts"`, `@a.ts#L10-20`, `@dir/`. */
export type Mention = { readonly raw: string; readonly path: string; readonly lines?: readonly [first: number, last: number] };
/** What a mentioned path turned out to be. `refused`, `missing` and `unusable` are one line for the model, never silence. */
export type MentionReading =
  | { readonly type: 'file'; readonly path: string; readonly text: string; readonly note?: string; readonly view: FileView }
  | { readonly type: 'directory'; readonly path: string; readonly text: string }
  | { readonly type: 'media'; readonly path: string; readonly content: Content; readonly view: FileView }
  | { readonly type: 'refused' | 'missing' | 'unusable'; readonly path: string; readonly why: string };

/** A way to answer. The default one has no text. */
export type OutputStyle = { readonly name: string; readonly text: string };

/** What a session has taken, its sub-agents included, and its limits; one that is not set is absent. */
export type SessionUsage = {
  /** All tokens that were reported: input, cache and output. */
  readonly tokens: number;
  readonly output: number;
  /** US dollars; null when a price is not known. */
  readonly usd: number | null;
  readonly limits: { readonly tokens?: number; readonly output?: number; readonly usd?: number };
};

/** The options of a kind, by name; empty when there are none. They are read with suspicion: a person wrote them. */
export interface KindOptions {
  of(kind: string): { readonly [name: string]: Json };
  /** Whether someone switched it off. */
  isOff(kind: string): boolean;
}

/** How many tokens the next request holds as far as it stands, of how many. */
export type WindowFill = { readonly tokens: number; readonly window: number };

/** A background command, an agent or a monitor. */
export type BackgroundTask = {
  readonly id: Id;
  /** What it is: `command npm test`. */
  readonly title: string;
  readonly state: TaskState;
  /** How its output is read, as a sentence. */
  readonly output: string;
  /** Its end comes as a notification, so nothing else tells it. */
  readonly announced?: true;
};

/** How a thread may act now. */
export type ModeNow = {
  /** `default`, `plan`, `auto` … */
  readonly mode: string;
  /**
   * Where a plan is written, and whether one is there; `tool` is the name of the one that ends planning, where the thread has it.
   * Absent in sub-agents: the plan is the session's.
   */
  readonly plan?: { readonly file: string; readonly exists: boolean; readonly tool?: string };
};

export interface Ports {
  clock: {
    /** Milliseconds since the epoch. */
    now(): number;
    /** `YYYY-MM-DD` in the local time zone. */
    localDate(): string;
    timeZone(): string;
    sleep(ms: number, signal: AbortSignal): Promise<void>;
  };
  ids: { next(): Id };
  digest: (bytes: string) => Digest;
  /** An estimate; rescaled by what the provider reports. */
  tokens: (content: readonly Content[]) => number;
  blobs?: Blobs;
  /** Makes small what a compaction has put out of the window. Missing: it is held as it is. */
  packing?: Packing;
  /** The folder that the work is in. `isNamedIn`: a system prompt says so, or names none. */
  folder?: { readonly cwd: string; isNamedIn(system: readonly Section[]): boolean };
  instructions?: Source<readonly InstructionFile[]>;
  /** Instruction files of the folders that these paths lie in, below the working directory, root to leaf. */
  nested?: { below(paths: readonly string[], signal: AbortSignal): Promise<readonly InstructionFile[]> };
  git?: Source<GitSnapshot>;
  /** What `@path` in a prompt stands for. `find` gives only what is evidently a path; `read` is asked once per mention. */
  mentions?: {
    find(text: string): readonly Mention[];
    /**
     * Puts the text of a file into `blobs`, so that later changes of it can be told. Files that are shown again after a
     * compaction are read by it, too, by their absolute path.
     */
    read(mention: Mention, blobs: Blobs, signal: AbortSignal): Promise<MentionReading>;
  };
  /** Changes by others of files that were seen, already diffed against `blobs`. Only files whose content differs are given. */
  changes?: { since(views: readonly FileView[], blobs: Blobs, signal: AbortSignal): Promise<readonly FileChange[]> };
  /** What waits to be told, filled by the session. Kinds take off what was delivered on their chain. */
  notices?: Source<readonly { readonly id: Id; readonly text: string; readonly trust: Trust; readonly task?: TaskChange }[]>;
  /** Work that this process has started beside the conversation, ended work included. */
  tasks?: Source<readonly BackgroundTask[]>;
  /** The shared list that the task tools keep. */
  taskList?: Source<readonly ListedTask[]>;
  /** Words typed while the agent worked, filled by the session. */
  steered?: Source<readonly { readonly id: Id; readonly content: readonly Content[] }[]>;
  /** How full the window is, filled by the session; unavailable before an answer has told. */
  fill?: Source<WindowFill>;
  /** Messages to this agent, filled by the session. */
  messages?: Source<readonly AgentMessage[]>;
  /** The text that stands at the end of every message: at most 600 characters. */
  criticalReminder?: Source<string>;
  team?: Source<Team>;
  /** Messages that were not read yet. `markRead` is asked once the record that tells them is durable. */
  mailbox?: Source<readonly Mail[]> & { markRead(ids: readonly Id[]): Promise<void> };
  skills?: SkillsPort;
  agents?: Source<readonly Listed[]>;
  deferredTools?: Source<readonly ToolGroup[]>;
  mcp?: Source<readonly McpServer[]>;
  /** What `@server:uri` in a prompt stands for. `find` gives also what names a server that is not there. */
  mcpResources?: {
    find(text: string): readonly ResourceMention[];
    read(mention: ResourceMention, signal: AbortSignal): Promise<ResourceReading>;
  };
  mode?: Source<ModeNow>;
  /** What is selected in the editor; null: nothing is. */
  selection?: Source<Selection | null>;
  /** Path of the file in the active editor; null: there is none. */
  openedFile?: Source<string | null>;
  /** What the editor sees. A file that had problems and is not in a reading has none any more. */
  diagnostics?: Source<readonly FileProblems[]>;
  /**
   * What language servers see of the files that were written, as these are on disk now. A file without a fresh result is not
   * in a reading. `touched` starts the servers that will be needed. Answers in 150 ms.
   */
  languageServers?: {
    read(
      files: { readonly touched: readonly string[]; readonly written: readonly string[] },
      signal: AbortSignal,
    ): Promise<Reading<readonly FileProblems[]>>;
  };
  /** What settings say about single kinds, filled by the session. */
  options?: KindOptions;
  /** How the model is to answer. Unavailable where a prompt without room for it stands in place of the client's own. */
  outputStyle?: Source<OutputStyle>;
  /** What the session has taken, and what it may take. */
  usage?: Source<SessionUsage>;
  /** The figure beside the input line. */
  companion?: Source<{ readonly name: string }>;
  /**
   * `begin` starts a look-up for someone's words, `take` gives what it found, as often as it is asked; null while it is not
   * ready, and for words that were never begun. Neither is awaited, and neither throws.
   */
  recall?: { begin(prompt: Id, text: string): void; take(prompt: Id): readonly Memory[] | null };
}
