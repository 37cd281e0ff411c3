/** MCP servers as a part of a session: started beside it, their tools searched for, and ended with it. */
import { allowedMentions, callToolTool, deferredToolsPort, loadedMcpTools, mcpTools, toolSearchTool } from '@sidenote/agent';
import type { Fold } from '@sidenote/engine';
import { createMcpHub, loginsFile, type McpServerStatus } from '@sidenote/node';
import { mcpPrompts } from '../commands/mcp/prompts.js';
import { VERSION } from '../version.js';
import type { Part, PartOptions } from './part.js';

/** Milliseconds for servers whose tools stand in the request: as long as what must be told is waited for. */
const LOAD_WAIT = 10_000;

/** Fold: names of the tools that stand in the request. */
const requestTools: Fold<{ names: ReadonlySet<string> }> = {
  name: 'cli:request-tools',
  scope: 'window',
  on: ['prefix'],
  initial: () => ({ names: new Set() }),
  step: (state, record) => (record.type === 'prefix' ? { names: new Set(record.tools.map(({ name }) => name)) } : state),
};

/** Nothing here waits for a server, except for those that ask to be loaded always. */
export async function mcpPart({ setup, folder, permissions, session, tools, tell }: PartOptions): Promise<Part> {
  const { io, mcp, configDir } = setup;
  const told = new Set<string>();
  // What is wrong with an entry was said when settings were read.
  const broken = new Set(mcp.filter(({ status }) => status === 'broken').map(({ name }) => name));
  const tellOf = (servers: readonly McpServerStatus[]): void => {
    for (const line of servers.filter(({ name }) => !broken.has(name)).flatMap(linesOf)) {
      if (told.has(line)) continue;
      told.add(line);
      tell(line);
    }
  };
  const hub = createMcpHub({
    servers: mcp,
    cwd: io.cwd,
    env: io.env,
    version: VERSION,
    logins: loginsFile(configDir),
    changed: () => tellOf(hub.servers),
  });
  // One that is not even tried, since a variable is not set, never changes.
  tellOf(hub.servers);
  const options = {
    hub,
    env: io.env,
    outputDir: folder,
    offers: (name: string) => permissions.offers(name),
    inRequest: (name: string) => {
      const sent = session()?.main.transcript.read(requestTools).names;
      return sent === undefined || sent.size === 0 ? tools().some(({ spec }) => spec.name === name) : sent.has(name);
    },
  };
  const deferred = mcpTools(options);
  return {
    mcp: hub,
    commands: mcpPrompts(hub),
    tools: [toolSearchTool(deferred), callToolTool(deferred), ...(await loadedMcpTools({ ...options, ms: LOAD_WAIT, signal: io.signal }))],
    ports: { ...hub.ports, mcpResources: allowedMentions(options), deferredTools: deferredToolsPort(deferred) },
    agent: { laterTools: (name) => deferred.find(name) },
    close: () => hub.close(),
  };
}

/** What a person should know of a server without asking. */
function linesOf({ name, state, why, notes }: McpServerStatus): readonly string[] {
  const lines = state === 'failed' && why !== undefined ? [`can't be used: ${why}`] : state === 'ready' ? notes : [];
  return lines.map((line) => `MCP server ${name}: ${line}`);
}
