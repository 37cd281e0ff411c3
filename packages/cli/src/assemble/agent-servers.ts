/** The MCP servers of one agent: its own are started with it and end with it, those of the session are only handed on. */
import { loadedMcpTools, namedMcpTools, type AgentExtras, type AgentType, type AnyTool } from '@sidenote/agent';
import { createMcpHub, loginsFile, type McpHub } from '@sidenote/node';
import { VERSION } from '../version.js';
import { serversOfAgent, type McpServers } from './mcp-servers.js';
import type { PartOptions } from './part.js';

/** Milliseconds that an agent waits for its servers. */
const WAIT = 10_000;

/** What can't be had is a note: the agent works without it. */
export async function startServers(type: AgentType, options: PartOptions, signal: AbortSignal): Promise<AgentExtras> {
  const { names = [], own = {} } = type.mcpServers ?? {};
  const { setup, folder, permissions, tell } = options;
  const { servers, notes } = await startable(type, options);
  const environment = { env: setup.io.env, outputDir: folder, offers: (name: string) => permissions.offers(name), ms: WAIT, signal };
  const { io, configDir } = setup;
  const how = { cwd: io.cwd, env: io.env, version: VERSION, logins: loginsFile(configDir) };
  const hub = servers.length === 0 ? undefined : createMcpHub({ servers, ...how });
  const ofSession = options.hub();
  const [mine, others] = await Promise.all([
    hub === undefined ? [] : loadedMcpTools({ ...environment, hub }),
    ofSession === undefined || names.length === 0 ? [] : namedMcpTools(names, { ...environment, hub: ofSession }),
  ]);
  const all = [...notes, ...failures(hub, Object.keys(own)), ...failures(ofSession, names), ...unknown(names, options)];
  for (const note of all) tell(`the agent ${type.name}: ${note}`);
  return {
    tools: distinct([...mine, ...others]),
    ports: portsOf(hub, ofSession),
    notes: all,
    close: async () => hub?.close(),
  };
}

/** Its own ones, as far as they may be started. */
async function startable(type: AgentType, { setup }: PartOptions): Promise<Pick<AgentExtras, 'notes'> & Pick<McpServers, 'servers'>> {
  const { servers, notices } = await serversOfAgent(type, setup);
  const waiting = servers.filter(({ status }) => status === 'waiting' || status === 'declined');
  const why = 'nobody has approved it (enabledMcpjsonServers in your settings, or --trust, does)';
  return {
    // They are there for this agent: their tools stand in its first request.
    servers: servers.filter(({ status }) => status === 'approved').map((server) => ({ ...server, alwaysLoad: true })),
    notes: [...notices, ...waiting.map(({ name }) => `its MCP server ${name} is not started: ${why}`)],
  };
}

function failures(hub: McpHub | undefined, names: readonly string[]): readonly string[] {
  return (hub?.servers ?? [])
    .filter(({ called, state }) => names.includes(called) && state !== 'ready')
    .map(({ called, why }) => `its MCP server ${called} can't be used${why === undefined ? '' : `: ${why}`}`);
}

function unknown(names: readonly string[], { setup, hub }: PartOptions): readonly string[] {
  const started = new Set(hub()?.servers.map(({ called }) => called));
  return names
    .filter((name) => !started.has(name))
    .map((name) => {
      const isThere = setup.mcp.some((server) => server.name === name);
      return isThere ? `the MCP server ${name} is not started` : `there is no MCP server ${name}`;
    });
}

/** Of two with one name, that of its own server. */
function distinct(tools: readonly AnyTool[]): readonly AnyTool[] {
  const names = new Set<string>();
  return tools.filter(({ spec: { name } }) => !names.has(name) && names.add(name));
}

/** It is told of its own servers beside those of the session. */
function portsOf(hub: McpHub | undefined, ofSession: McpHub | undefined): AgentExtras['ports'] {
  if (hub === undefined) return {};
  const ports = [...(ofSession === undefined ? [] : [ofSession]), hub].map(({ ports: { mcp } }) => mcp);
  return {
    mcp: {
      async read(signal) {
        const readings = await Promise.all(ports.map((port) => port.read(signal)));
        const value = readings.flatMap((reading) => (reading.type === 'ready' ? reading.value : []));
        return { type: 'ready', value, version: '' };
      },
    },
  };
}
