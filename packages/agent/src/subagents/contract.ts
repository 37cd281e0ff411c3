/** What sub-agents need from whoever opens a session, and what is known of those that run. */
import type { Id, Json, ModelAdapter, Ports, Section, Session } from '@sidenote/engine';
import type { OwnHooks } from '@sidenote/node';
import type { CompactionPolicy } from '../loop/agent.js';
import type { AgentEvent } from '../loop/events.js';
import type { Hooks } from '../loop/hooks.js';
import type { SpendingLimit } from '../loop/limit.js';
import type { Ask } from '../permissions/ask.js';
import type { Mode, Permissions } from '../permissions/contract.js';
import type { Environment } from '../prompt/default-prompt.js';
import type { AnyTool } from '../tools/tool.js';
import type { AgentType } from './agent-type.js';

/** Where an agent works, and with what. */
export type Workplace = {
  /** Absolute. */
  readonly cwd: string;
  /** All tools that an agent there could have, those of this folder included. */
  readonly tools: readonly AnyTool[];
  readonly laterTools?: (name: string) => AnyTool | undefined;
  readonly permissions: Permissions;
  /** In place of the session's. */
  readonly ports: Partial<Ports>;
  /** What its prompt says of this place. Default: nothing. */
  readonly sections?: readonly Section[];
  /** Entries as of `tools`, for what it needs here beside those that its definition lists. Default: none. */
  readonly alsoTools?: readonly string[];
  /** Prompt and surroundings for a model. */
  environment(model: string): Environment;
};

/** What runs for one agent alone. */
export type AgentExtras = {
  /** Given to it whatever its definition lists. */
  readonly tools: readonly AnyTool[];
  readonly ports: Partial<Ports>;
  /** What it was to have and has not: one line each. */
  readonly notes: readonly string[];
  /** Never rejects. */
  close(): Promise<void>;
};

/** What a skill brings for the task that its text is. */
export type SkillPowers = {
  /** Permission rules that allow. */
  readonly grants: readonly string[];
  /** Permission rules that deny. Default: none. */
  readonly denies?: readonly string[];
  readonly hooks?: OwnHooks;
};

/** What an agent is started for. */
export type Task = {
  readonly description: string;
  readonly prompt: string;
  readonly type: string;
  readonly model?: string | undefined;
  readonly isolation?: 'worktree' | undefined;
  readonly name?: string | undefined;
  readonly background: boolean;
  /** The skill whose text the prompt is. */
  readonly skill?: SkillPowers | undefined;
  /** The thread that gives the task. */
  readonly parent: Id;
};

export type SubagentOptions = {
  /** Asked only once an agent is started. */
  readonly session: () => Session;
  /** Every type that can be started now, by name. */
  types(): Promise<ReadonlyMap<string, AgentType>>;
  /**
   * `cwd`: a copy of the repository; `mode`: another one than the session's; `memoryOf`: whose memories are kept. Default: the
   * session's own place.
   */
  workplace(at: { readonly cwd?: string; readonly mode?: Mode; readonly memoryOf?: AgentType }): Promise<Workplace>;
  readonly adapter: (model: string) => ModelAdapter;
  /** The full name behind a name or an alias. */
  model(name: string): string;
  /** Parameters that belong to the cache key. */
  params(model: string, effort: string | undefined): Readonly<Record<string, Json>>;
  readonly ask?: Ask;
  /** Hooks of the session; asked when an agent runs. Default: none. */
  hooks?(): Hooks | undefined;
  /** Ends an agent where the session has taken what it may. Default: no limit. */
  readonly limit?: SpendingLimit;
  readonly clock: Ports['clock'];
  readonly random?: () => number;
  readonly fallbackModel?: string;
  /** When their windows are compacted. Default: as the loop does by itself. */
  readonly compaction?: CompactionPolicy;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for long answers. */
  readonly outputDir: string;
  /** Folder for copies of the repository. */
  readonly worktrees: string;
  /** Whether what the repository configures may run programs. Default false. */
  readonly trusted?: boolean;
  /** Texts of skills that a definition names; those that are not there are left out. Default: none. */
  skillTexts?(names: readonly string[]): Promise<readonly string[]>;
  /** Starts the servers that a definition asks for; waited for before the agent begins. Default: none. */
  servers?(type: AgentType, signal: AbortSignal): Promise<AgentExtras>;
  /** What a named agent is given as a member of a team. Absent: there is no team. */
  member?(name: string): Partial<Ports>;
  /** Something that an agent in the background did: one line for the person. */
  notice?(line: string): void;
  /** A thread has something that it can be woken for. */
  news?(): void;
  /** Everything that happens in agents of the background. */
  background?(agent: Id, event: AgentEvent): void;
};

export type AgentStatus = {
  readonly id: Id;
  readonly type: string;
  readonly name?: string;
  readonly description: string;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly background: boolean;
  /** US dollars of its own requests, once it has ended; null when a price is not known. */
  readonly usd: number | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
};

/** How one task ended. */
export type AgentAnswer = {
  readonly state: 'done' | 'failed' | 'stopped';
  /** For the parent: inert, and fitted. */
  readonly text: string;
  /** Model responses. */
  readonly steps: number;
  /** US dollars of its own requests; null when a price is not known. */
  readonly usd: number | null;
};

/** Where SendMessage brings a message before it looks at agents. Undefined: nobody there has that name. */
export type Post = (message: { readonly from: string; readonly to: string; readonly text: string }) => Promise<string | undefined>;
