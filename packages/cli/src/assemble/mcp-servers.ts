/** Which MCP servers flags, files and stored answers give a session, and what a person has to know of the others. */
import { findServers, projectState, type ConfiguredServer, type LoadedSettings } from '@sidenote/node';
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
};

export type McpServers = {
  readonly servers: readonly ConfiguredServer[];
  /** One line each, for the person. */ readonly notices: readonly string[];
};

/** @throws {UsageError} for what `--mcp-config` names and can't be read. */
export async function mcpServers({ io, flags, configDir, loaded, bare }: Options): Promise<McpServers> {
  const { cwd, home, env } = io;
  const { servers, problems, refused } = await findServers({
    cwd,
    home,
    configDir,
    env,
    flags: given(flags, 'mcp-config'),
    strict: bare || switched(flags, 'strict-mcp-config'),
    sources: sourcesOf(flags),
    enabled: loaded.settings.enabledMcpjsonServers ?? [],
    // Said for this very run; trust that was given once may be older than the server.
    approveAll: switched(flags, 'trust') || switched(flags, 'dangerously-skip-permissions'),
    answers: async () => (await projectState({ cwd, configDir })).mcpServers ?? {},
  });
  const [fault] = refused;
  if (fault !== undefined) throw new UsageError(`--mcp-config: ${inside(fault, cwd)}`);
  return { servers, notices: problems };
}

/** What a person has to know of servers that nobody has approved. */
export function waitingNotice(servers: readonly ConfiguredServer[]): readonly string[] {
  const waiting = servers.filter(({ status }) => status === 'waiting').map(({ name }) => name);
  if (waiting.length === 0) return [];
  return [
    `not started, since nobody has approved it: MCP server ${waiting.join(', ')} of .mcp.json (a session on a terminal asks; enabledMcpjsonServers in your settings, or --trust, approves)`,
  ];
}
