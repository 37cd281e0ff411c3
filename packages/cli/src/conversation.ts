/** What every view talks to: an agent on a session that can be exchanged for another one (`/new`, `/resume`). */
import type { Agent, Mode, Subagents } from '@sidenote/agent';
import type { Companion } from './assemble/companion.js';
import type { SessionStyles } from './assemble/styles.js';
import type { PromptCommands } from './commands/prompt-commands.js';
import type { Spending } from './spending.js';
import type { BackgroundTask, Id, ModelProfile, Session, Thread } from '@sidenote/engine';
import type { EditorLink, ExplainedFile, LanguageServers, McpHub } from '@sidenote/node';

/** A stored session, for lists. */
export type SessionEntry = {
  readonly id: Id;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** The title, or the first words of the first prompt; empty when nothing was said. */
  readonly title: string;
};

/** Commands, monitors and agents that run beside the conversation. */
export interface BackgroundView {
  /** Oldest first, those that have ended included. */
  list(): readonly BackgroundTask[];
  /** False: it does not run, or there is none. */
  stop(id: Id): Promise<boolean>;
  /** The end of what it wrote; undefined: it writes nothing. */
  output(id: Id): Promise<string | undefined>;
}

export interface Conversation {
  readonly agent: Agent;
  readonly session: Session;
  /** Name of the model that answers the next request. */
  readonly model: string;
  readonly profile: ModelProfile;
  /** Tokens at which the window is compacted without being asked; null: it never is. */
  readonly compactsAt: number | null;
  /** Of any model, with what settings say of it. */
  profileFor(model: string): ModelProfile;
  /** What this session has taken so far, per model, open threads of agents included. */
  readonly spent: Pick<Spending, 'models'>;
  /** US dollars of questions beside the conversation since it was opened; null once a price was not known. */
  readonly asidesUsd: number | null;
  /** The same of one thread. */
  readonly spentBy: (thread: Pick<Thread, 'transcript'>) => Pick<Spending, 'models'>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Names of the tools that the model is offered. */
  readonly tools: readonly string[];
  /** Sub-agents of this session; undefined where it has none. */
  readonly agents: Subagents | undefined;
  readonly background: BackgroundView;
  /** MCP servers of this session; undefined when there are none. */
  readonly mcp: McpHub | undefined;
  /** The editor beside this session; undefined where none was there at its start. */
  readonly editor: EditorLink | undefined;
  /** Absolute path of the file that the session's plan is written to. */
  readonly planFile: string;
  /** Language servers of this session; undefined where none may run. */
  readonly languageServers: LanguageServers | undefined;
  /** Skills and other commands that become a prompt. */
  readonly commands: PromptCommands;
  /** Output styles, and the one in force. */
  readonly styles: SessionStyles;
  /** The figure beside the input line; undefined: none. */
  readonly companion: Companion | undefined;
  /** Kinds of context that are off from the start, with the reason. */
  readonly off: Readonly<Record<string, string>>;
  /** Where the key of the model's provider comes from; `none` for local and scripted models. */
  readonly keySource: string;
  /** Every candidate for instructions, with its status and why. */
  instructions(): Promise<readonly ExplainedFile[]>;
  /** Further requests go to this model. @throws {ModelUnavailableError} */
  setModel(name: string): Promise<void>;
  setMode(mode: Mode): Promise<void>;
  /** Ends this session and begins a new one in its place. */
  renew(): Promise<void>;
  /** Ends this session and goes on with another. */
  resume(id: Id): Promise<void>;
  /** Sessions of this directory, newest first. */
  list(): Promise<readonly SessionEntry[]>;
  close(): Promise<void>;
}
