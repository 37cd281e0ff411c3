/** What one feature brings to a session: the same shape for all, so that a further one is a file of its own and a line in the list. */
import type { AgentOptions, AnyTool, Ask, Mode, Permissions, RulePermissions, Subagents, ToolEnvironment } from '@sidenote/agent';
import type { Id, Ports, Session } from '@sidenote/engine';
import type { EditorLink, LanguageServers, McpHub } from '@sidenote/node';
import { joinedCommands, type PromptCommands } from '../commands/prompt-commands.js';
import type { AgentMemory } from './agent-memory.js';
import type { Models } from './models.js';
import type { Setup } from './set-up.js';

export type Part = {
  /** What its kinds of context read. A name that two parts give is the later one's. */
  readonly ports?: Partial<Ports>;
  /** Stand behind the built-in tools, in the order of the parts: the array belongs to the prefix and must not depend on luck. */
  readonly tools?: readonly AnyTool[];
  /** What a person may type behind a slash. */
  readonly commands?: PromptCommands;
  /** What the loop asks it while a turn runs. */
  readonly agent?: Partial<Pick<AgentOptions, 'laterTools' | 'hooks' | 'limit'>>;
  /** Sub-agents, for views. */
  readonly agents?: Subagents;
  /** Servers, for views and for commands that come from them. */
  readonly mcp?: McpHub;
  /** For views. */
  readonly editor?: EditorLink;
  readonly languageServers?: LanguageServers;
  /** Asks the person in a further place. */
  askToo?(ask: Ask): Ask;
  /** What it adds to the surroundings of the built-in tools. */
  readonly environment?: Partial<Pick<ToolEnvironment, 'stopAgent'>>;
  /** Ends what it started; awaited before the session's file is closed. */
  close?(): Promise<void>;
};

/** Where an agent works, and with what. */
export type Place = {
  readonly cwd: string;
  readonly tools: readonly AnyTool[];
  readonly permissions: Permissions;
  /** In place of the session's. */
  readonly ports: Partial<Ports>;
};

/** What a part may need of the session that it belongs to. */
export type PartOptions = {
  readonly setup: Setup;
  readonly id: Id;
  /** Full name of the model that the session begins with. */
  readonly model: string;
  /** Where its files go. */
  readonly folder: string;
  /** Whether the session's file stays. */
  readonly isKept: boolean;
  readonly permissions: RulePermissions;
  /** Undefined until it is open. */
  readonly session: () => Session | undefined;
  readonly tools: () => readonly AnyTool[];
  /** Another place to work in, or the same one under another mode or with memories of an agent: its tools, ports and permissions. */
  readonly place: (at: { readonly cwd?: string; readonly mode?: Mode; readonly memory?: AgentMemory }) => Place;
  /** What all parts give the loop; known once the session is open. */
  readonly loop: () => NonNullable<Part['agent']>;
  /** Undefined where the model may start none. */
  readonly agents: () => Subagents | undefined;
  /** MCP servers of the session; undefined without any. */
  readonly hub: () => McpHub | undefined;
  readonly models: Models;
  /** Absent: nobody is there to be asked. */
  readonly ask?: Ask;
  /** One line for the person. */
  readonly tell: (line: string) => void;
  /** Adds words to those that the person is typing. Absent where nobody types. */
  readonly insert?: (words: string) => void;
  /** Something that the agent waits for has news. */
  readonly news: () => void;
};

type ForViews = 'mcp' | 'agents' | 'editor' | 'languageServers';

/** All parts as one. */
export function joined(parts: readonly Part[]): Required<Omit<Part, ForViews>> & Pick<Part, ForViews> {
  const mcp = parts.find((part) => part.mcp !== undefined)?.mcp;
  const agents = parts.find((part) => part.agents !== undefined)?.agents;
  const editor = parts.find((part) => part.editor !== undefined)?.editor;
  const languageServers = parts.find((part) => part.languageServers !== undefined)?.languageServers;
  return {
    ...(languageServers === undefined ? {} : { languageServers }),
    ...(editor === undefined ? {} : { editor }),
    ...(mcp === undefined ? {} : { mcp }),
    ...(agents === undefined ? {} : { agents }),
    ports: Object.assign({}, ...parts.map(({ ports }) => ports)),
    tools: parts.flatMap(({ tools }) => tools ?? []),
    commands: joinedCommands(parts.flatMap(({ commands }) => commands ?? [])),
    agent: Object.assign({}, ...parts.map(({ agent }) => agent)),
    environment: Object.assign({}, ...parts.map(({ environment }) => environment)),
    askToo: (ask) => parts.reduce((all, part) => part.askToo?.(all) ?? all, ask),
    async close() {
      const faults: unknown[] = [];
      // One that fails to end must not leave the others running.
      for (const part of parts) await part.close?.().catch((error: unknown) => faults.push(error));
      if (faults.length > 0) throw faults[0];
    },
  };
}
