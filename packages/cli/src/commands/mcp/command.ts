/** `/mcp`: the servers of this session, and one of them tried again. */
import type { McpServerStatus } from '@sidenote/node';
import type { Command } from '../command.js';

export const mcpCommand: Command = {
  name: 'mcp',
  hint: '[reconnect name]',
  summary: 'MCP servers of this session: what they offer, or why they do not',
  async run({ conversation: { mcp } }, rest) {
    if (mcp === undefined) return { type: 'text', text: 'no MCP servers are started in this session; sidenote mcp list shows all' };
    const name = /^reconnect\s+(\S+)$/.exec(rest)?.[1];
    if (rest !== '' && name === undefined) return { type: 'refused', text: `/mcp ${rest}: write /mcp, or /mcp reconnect <name>` };
    if (name === undefined) return { type: 'text', text: mcp.servers.flatMap(linesOf).join('\n') };
    const server = await mcp.reconnect(name);
    if (server === undefined)
      return { type: 'refused', text: `there is no MCP server ${name} (${mcp.servers.map((one) => one.name).join(', ')})` };
    return { type: 'text', text: linesOf(server).join('\n') };
  },
};

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function linesOf({ name, state, why, scope, reaches, tools, prompts, resources, notes }: McpServerStatus): readonly string[] {
  const counts = [counted(tools.length, 'tool'), counted(prompts.length, 'prompt'), counted(resources.length, 'resource')].join(' · ');
  return [
    `${name.padEnd(16)} ${state.padEnd(10)} ${state === 'ready' ? counts : (why ?? '')}`,
    `  ${scope}: ${reaches.split('\n')[0]}`,
    ...prompts.map((prompt) =>
      `  /${prompt.name} ${prompt.arguments.map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`)).join(' ')}`.trimEnd(),
    ),
    ...notes.map((note) => `  ${note}`),
  ];
}
