/** `ListMcpResources` and `ReadMcpResource`: what MCP servers have to read. */
import type { McpHub } from '@sidenote/node';
import { inputOf, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { AnyTool, Tool } from '../tools/tool.js';
import { mcpOutcome, type McpEnvironment } from './mcp-outcome.js';

/** Lines of a list. */
const MOST = 250;

export function resourceTools(hub: Pick<McpHub, 'servers' | 'read'>, environment: McpEnvironment): readonly AnyTool[] {
  return [listTool(hub), readTool(hub, environment)];
}

function listTool(hub: Pick<McpHub, 'servers'>): Tool<{ readonly server: string | undefined }> {
  const input = inputOf('ListMcpResources', { server: optional(text('default: all servers')) });
  return {
    spec: { name: 'ListMcpResources', description: 'List the resources of MCP servers.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: ({ server }) => `ListMcpResources ${server ?? ''}`.trimEnd(),
    async run({ server }) {
      const servers = hub.servers.filter(({ name, called }) => server === undefined || server === name || server === called);
      if (server !== undefined && servers.length === 0)
        return refused(`There is no MCP server ${server}; there are ${hub.servers.map(({ name }) => name).join(', ')}.`);
      const away = servers.filter(({ state }) => state !== 'ready').map(({ name }) => `${name} is not connected`);
      const lines = servers.flatMap(({ name, resources }) =>
        resources.map(({ uri, name: title, mimeType }) => `${name}:${uri} ${title}${mimeType === undefined ? '' : ` (${mimeType})`}`),
      );
      const more = lines.length > MOST ? [`and ${lines.length - MOST} more`] : [];
      return said([...away, ...(lines.length === 0 ? ['There are no resources.'] : lines.slice(0, MOST)), ...more].join('\n'));
    },
  };
}

function readTool(hub: Pick<McpHub, 'read'>, environment: McpEnvironment): Tool<{ readonly server: string; readonly uri: string }> {
  const input = inputOf('ReadMcpResource', { server: text(), uri: text() });
  return {
    spec: { name: 'ReadMcpResource', description: 'Read a resource of an MCP server.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: ({ server, uri }) => `ReadMcpResource ${server}:${uri}`,
    run: async ({ server, uri }, { signal }) => mcpOutcome(await hub.read(server, uri, { signal }), environment),
  };
}
