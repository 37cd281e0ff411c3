/** Which MCP servers flags, files and stored answers give a session, and what a person has to know of the others. */
import type { AgentType } from '@sidenote/agent';
import { findServers, judgeServers, projectState, type ApprovalOptions, type ConfiguredServer, type LoadedSettings } from '@sidenote/node';
import { given, switched, type Flags } from '../flags/parse.js';
import { inside } from '../inside.js';
import type { Io } from '../io.js';
import { UsageError } from '../usage-error.js';
import { sourcesOf } from './setting-sources.js';

type Options = {
  readonly io: Io;
  readonly flags: Flags;
  readonly configDir: string;
  readonly loaded: LoadedSettings;
  readonly bare: boolean;
  /** What the session runs as; its own servers are those of the session. */
  readonly agent?: AgentType | undefined;
};

export type McpServers = {
  readonly servers: readonly ConfiguredServer[];
  /** One line each, for the person. */ readonly notices: readonly string[];
};

/** @throws {UsageError} for what `--mcp-config` names and can't be read. */
export async function mcpServers({ agent, bare, ...options }: Options): Promise<McpServers> {
  const { io, flags, configDir } = options;
  const { cwd, home, env } = io;
  const { servers, problems, refused } = await findServers({
    cwd,
    home,
    configDir,
    env,
    flags: given(flags, 'mcp-config'),
    strict: bare || switched(flags, 'strict-mcp-config'),
    sources: sourcesOf(flags),
    ...approvalOptions(options),
  });
  const [fault] = refused;
  if (fault !== undefined) throw new UsageError(`--mcp-config: ${inside(fault, cwd)}`);
  const own = agent === undefined ? NONE : await serversOfAgent(agent, options);
  const names = new Set(own.servers.map(({ name }) => name));
  return {
    servers: [...servers.filter(({ name }) => !names.has(name)), ...own.servers],
    notices: [...problems, ...own.notices],
  };
}

const NONE: McpServers = { servers: [], notices: [] };

/** Those that a definition brings, judged like those of the files of its scope. */
export async function serversOfAgent(
  { scope = 'user', file = 'an agent', mcpServers: servers }: AgentType,
  options: Omit<Options, 'bare' | 'agent'>,
): Promise<McpServers> {
  const own = servers?.own ?? {};
  const names = Object.keys(own);
  if (names.length === 0) return NONE;
  if (scope !== 'flag' && switched(options.flags, 'strict-mcp-config'))
    return { servers: [], notices: [`${file}: MCP server ${names.join(', ')} is left out by --strict-mcp-config`] };
  const judged = await judgeServers({ scope, file, servers: own }, approvalOptions(options));
  return { servers: judged.servers, notices: judged.problems };
}

/** Which servers of a project may be started. */
export function approvalOptions({ io: { cwd }, flags, configDir, loaded }: Omit<Options, 'bare' | 'agent'>): ApprovalOptions {
  return {
    enabled: loaded.settings.enabledMcpjsonServers ?? [],
    disabled: loaded.settings.disabledMcpjsonServers ?? [],
    // Said for this very run, or for all servers that may come; trust that was given once may be older than the server.
    approveAll:
      switched(flags, 'trust') || switched(flags, 'dangerously-skip-permissions') || loaded.settings.enableAllProjectMcpServers === true,
    answers: async () => (await projectState({ cwd, configDir })).mcpServers ?? {},
  };
}

/** What a person has to know of servers that nobody has approved. */
export function waitingNotice(servers: readonly ConfiguredServer[]): readonly string[] {
  const waiting = servers.filter(({ status }) => status === 'waiting').map(({ name }) => name);
  if (waiting.length === 0) return [];
  return [
    `not started, since nobody has approved it: MCP server ${waiting.join(', ')} of .mcp.json (a session on a terminal asks; enabledMcpjsonServers in your settings, or --trust, approves)`,
  ];
}
