/** `CallTool`: runs a tool that is not in the request. That tool is judged, shown and run in its place. */
import { inputOf, members, text } from '../tools/input.js';
import { refused } from '../tools/outcome.js';
import type { Tool } from '../tools/tool.js';
import type { DeferredTools } from './deferred-tools.js';

export type CallToolInput = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export function callToolTool(deferred: Pick<DeferredTools, 'find'>): Tool<CallToolInput> {
  const input = inputOf('CallTool', { name: text(), input: members('as its definition says') });
  const missing = (name: string): string => `There is no tool ${name} to be called this way; ToolSearch finds those that can be.`;
  return {
    spec: { name: 'CallTool', description: 'Call a tool that ToolSearch has found.', input_schema: input.schema },
    access: 'execute',
    parse: input.parse,
    forward({ name, input: members }) {
      const tool = deferred.find(name);
      if (tool === undefined) return { ok: false, message: missing(name) };
      return tool.forward?.(members) ?? { ok: true, tool, input: members };
    },
    title: ({ name }) => `CallTool ${name}`,
    run: async ({ name }) => refused(missing(name)),
  };
}
