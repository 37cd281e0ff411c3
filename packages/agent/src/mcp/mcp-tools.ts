/** The tools of a session's MCP servers: those that stand in the request, and those that are found by search. */
import type { McpHub, McpServerStatus, McpTool } from '@sidenote/node';
import type { DeferredGroup, DeferredTools } from '../deferred/deferred-tools.js';
import type { AnyTool } from '../tools/tool.js';
import type { McpEnvironment } from './mcp-outcome.js';
import { awaitedTool, mcpTool, vanishedTool } from './mcp-tool.js';
import { resourceTools } from './resource-tools.js';

export type McpToolOptions = McpEnvironment & {
  readonly hub: McpHub;
  /** False for tools that a rule takes away. Default: all are offered. */
  readonly offers?: (name: string) => boolean;
  /** Tools that stand in the request already, so they are not to be searched for. Default: none. */
  readonly inRequest?: (name: string) => boolean;
};

/** Milliseconds that a call waits for its server's first answer. */
const CALL_WAIT = 10_000;
/** The group of the tools that are the client's own. */
const RESOURCES = 'MCP resources';

/** What can be searched for and called. Each look sees the servers as they are now. */
export function mcpTools(options: McpToolOptions): DeferredTools {
  const { hub, offers = () => true, inRequest = () => false } = options;
  const made = new WeakMap<McpTool, AnyTool>();
  const toolOf = (tool: McpTool): AnyTool => {
    const known = made.get(tool) ?? mcpTool(tool, hub, options);
    made.set(tool, known);
    return known;
  };
  const ofResources = resourceTools({ ...options, offers });
  const lookUp = (name: string): AnyTool | undefined => {
    if (!offers(name)) return undefined;
    const own = ofResources.find(({ spec }) => spec.name === name);
    if (own !== undefined) return own;
    const tool = hub.servers.flatMap(({ tools }) => tools).find(({ spec }) => spec.name === name);
    return tool === undefined ? undefined : toolOf(tool);
  };
  const groupOf = ({ name, state, tools }: McpServerStatus): DeferredGroup => ({
    name,
    tools: state === 'ready' ? tools.filter(({ spec }) => offers(spec.name) && !inRequest(spec.name)).map(toolOf) : null,
  });
  return {
    groups() {
      const servers = hub.servers;
      const own = ofResources.filter(({ spec }) => offers(spec.name));
      if (servers.some(({ resources }) => resources.length > 0)) return [...servers.map(groupOf), { name: RESOURCES, tools: own }];
      // One that can't be asked now may have some.
      const isOpen = servers.some(({ state }) => state !== 'ready');
      return [...servers.map(groupOf), ...(isOpen ? [{ name: RESOURCES, tools: null }] : [])];
    },
    find(name) {
      const found = lookUp(name);
      if (found !== undefined || !offers(name)) return found;
      const server = hub.servers.find((one) => name.startsWith(`mcp__${one.name}__`));
      if (server === undefined) return undefined;
      const why = (now: McpServerStatus | undefined): string =>
        now?.state === 'ready'
          ? `the MCP server ${server.name} offers no tool ${name} (any more)`
          : `the MCP server ${server.name} is not connected${now?.why === undefined ? '' : ` (${now.why})`}`;
      if (server.state !== 'connecting') return vanishedTool(name, why(server));
      return awaitedTool(name, async (signal) => {
        await hub.settled({ ms: CALL_WAIT, signal });
        return lookUp(name) ?? why(hub.servers.find((one) => one.name === server.name));
      });
    },
    settled: (how) => hub.settled(how),
    atStart: (signal) => hub.atStart(signal),
  };
}

type Waiting = { readonly ms: number; readonly signal: AbortSignal };

/** Tools of servers with `alwaysLoad`, for the request of a new session: waited for at most `ms`, and in the order of their names. */
export async function loadedMcpTools(options: McpToolOptions & Waiting): Promise<readonly AnyTool[]> {
  const { hub } = options;
  if (!hub.servers.some(({ alwaysLoad }) => alwaysLoad)) return [];
  await hub.settled({ ...options, only: 'alwaysLoad' });
  return toolsFor(({ alwaysLoad }) => alwaysLoad, options);
}

/** The same for servers by their names in files. */
export async function namedMcpTools(names: readonly string[], options: McpToolOptions & Waiting): Promise<readonly AnyTool[]> {
  await options.hub.settled({ ...options, only: names });
  return toolsFor(({ called }) => names.includes(called), options);
}

function toolsFor(wanted: (server: McpServerStatus) => boolean, options: McpToolOptions): readonly AnyTool[] {
  const { hub, offers = () => true } = options;
  return hub.servers
    .filter(wanted)
    .flatMap(({ tools }) => tools)
    .filter(({ spec }) => offers(spec.name))
    .map((tool) => mcpTool(tool, hub, options))
    .toSorted((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
}
