/** `ListMcpResources` and `ReadMcpResource`: what MCP servers have to read. */
import type { Ports } from '@sidenote/engine';
import type { McpHub } from '@sidenote/node';
import { inputOf, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { AnyTool, Tool } from '../tools/tool.js';
import { mcpOutcome, type McpEnvironment } from './mcp-outcome.js';

/** Lines of a list. */
const MOST = 250;

export type ResourceToolOptions = McpEnvironment & {
  readonly hub: Pick<McpHub, 'servers' | 'read'>;
  /** False for tools that a rule takes away. What takes away all tools of a server takes away its resources, too. */
  readonly offers: (name: string) => boolean;
};

export function resourceTools(options: ResourceToolOptions): readonly AnyTool[] {
  return [listTool(options), readTool(options)];
}

/** The port of resources that someone's words mention, within the same rules. */
export function allowedMentions({ hub, offers }: ResourceToolOptions & { readonly hub: McpHub }): NonNullable<Ports['mcpResources']> {
  const { mcpResources: port } = hub.ports;
  return {
    find: (words) => port.find(words),
    async read(mention, signal) {
      const why = whyNot(mention.server, { hub, offers });
      return why === undefined ? port.read(mention, signal) : { type: 'unusable', why };
    },
  };
}

type Rules = Pick<ResourceToolOptions, 'offers'>;
const offersServer = (name: string, { offers }: Rules): boolean => offers(`mcp__${name}__`);

/** `server`: by either of its names. Undefined: no rule stands for all that it has. */
function whyNot(server: string, { hub, ...rules }: Rules & { readonly hub: Pick<McpHub, 'servers'> }): string | undefined {
  const { name } = hub.servers.find(({ name: own, called }) => server === own || server === called) ?? { name: server };
  return offersServer(name, rules) ? undefined : `a permission rule forbids what the MCP server ${name} offers`;
}

function listTool({ hub, offers }: ResourceToolOptions): Tool<{ readonly server: string | undefined }> {
  const input = inputOf('ListMcpResources', { server: optional(text('default: all servers')) });
  return {
    spec: { name: 'ListMcpResources', description: 'List the resources of MCP servers.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: ({ server }) => `ListMcpResources ${server ?? ''}`.trimEnd(),
    async run({ server }) {
      const all = hub.servers.filter(({ name }) => offersServer(name, { offers }));
      const servers = all.filter(({ name, called }) => server === undefined || server === name || server === called);
      if (server !== undefined && servers.length === 0)
        return refused(`There is no MCP server ${server}; there are ${all.map(({ name }) => name).join(', ')}.`);
      const away = servers.filter(({ state }) => state !== 'ready').map(({ name }) => `${name} is not connected`);
      const lines = servers.flatMap(({ name, resources }) =>
        resources.map(({ uri, name: title, mimeType }) => `${name}:${uri} ${title}${mimeType === undefined ? '' : ` (${mimeType})`}`),
      );
      const more = lines.length > MOST ? [`and ${lines.length - MOST} more`] : [];
      return said([...away, ...(lines.length === 0 ? ['There are no resources.'] : lines.slice(0, MOST)), ...more].join('\n'));
    },
  };
}

function readTool({ hub, offers, ...environment }: ResourceToolOptions): Tool<{ readonly server: string; readonly uri: string }> {
  const input = inputOf('ReadMcpResource', { server: text(), uri: text() });
  return {
    spec: { name: 'ReadMcpResource', description: 'Read a resource of an MCP server.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: ({ server, uri }) => `ReadMcpResource ${server}:${uri}`,
    async run({ server, uri }, { signal }) {
      const why = whyNot(server, { hub, offers });
      if (why !== undefined) return refused(`Not read: ${why}.`);
      return mcpOutcome(await hub.read(server, uri, { signal }), environment);
    },
  };
}
