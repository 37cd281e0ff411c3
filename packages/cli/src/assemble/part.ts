/** What one feature brings to a session: the same shape for all, so that a further one is a file of its own and a line in the list. */
import type { AgentOptions, AnyTool, RulePermissions } from '@sidenote/agent';
import type { Id, Ports, Session } from '@sidenote/engine';
import type { McpHub } from '@sidenote/node';
import { joinedCommands, type PromptCommands } from '../commands/prompt-commands.js';
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
  readonly agent?: Partial<Pick<AgentOptions, 'laterTools' | 'hooks'>>;
  /** Servers, for views and for commands that come from them. */
  readonly mcp?: McpHub;
  /** Ends what it started; awaited before the session's file is closed. */
  close?(): Promise<void>;
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
  /** One line for the person. */
  readonly tell: (line: string) => void;
  /** Something that the agent waits for has news. */
  readonly news: () => void;
  readonly models: Models;
};

/** All parts as one. */
export function joined(parts: readonly Part[]): Required<Omit<Part, 'mcp'>> & Pick<Part, 'mcp'> {
  const mcp = parts.find((part) => part.mcp !== undefined)?.mcp;
  return {
    ...(mcp === undefined ? {} : { mcp }),
    ports: Object.assign({}, ...parts.map(({ ports }) => ports)),
    tools: parts.flatMap(({ tools }) => tools ?? []),
    commands: joinedCommands(parts.flatMap(({ commands }) => commands ?? [])),
    agent: Object.assign({}, ...parts.map(({ agent }) => agent)),
    async close() {
      for (const part of parts) await part.close?.();
    },
  };
}
