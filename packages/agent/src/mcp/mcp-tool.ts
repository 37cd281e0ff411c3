/** Tools of MCP servers as tools of the agent, and the one that stands in for a tool that is not there. */
import type { McpHub, McpTool } from '@sidenote/node';
import { asDefined } from '../deferred/definitions.js';
import { inputOf } from '../tools/input.js';
import type { AnyTool } from '../tools/tool.js';
import { mcpOutcome, type McpEnvironment } from './mcp-outcome.js';

/** Characters of the input in a title. */
const TITLE = 120;

/** Runs only as the model knows it; a server that says a tool only reads is believed as far as running side by side goes. */
export function mcpTool(tool: McpTool, hub: Pick<McpHub, 'call'>, environment: McpEnvironment): AnyTool {
  const { spec, readOnly, resultLimit } = tool;
  return asDefined({
    spec,
    access: readOnly ? 'read' : 'execute',
    parse: (input) => anyMembers(spec.name, input),
    title: (input) => titleOf(spec.name, input),
    async run(input, { signal, progress }) {
      return mcpOutcome(await hub.call(tool, input, { signal, progress }), environment, resultLimit);
    },
  });
}

/** For a name whose server is being connected: it waits, and then is the tool or says what became of the server. */
export function awaitedTool(name: string, find: (signal: AbortSignal) => Promise<AnyTool | string>): AnyTool {
  return {
    spec: { name, description: '', input_schema: { type: 'object' } },
    access: 'execute',
    parse: (input) => anyMembers(name, input),
    title: (input) => titleOf(name, input),
    async run(input, context) {
      const found = await find(context.signal);
      if (typeof found !== 'string') return found.run(input, context);
      return { content: [{ type: 'text', text: `Not run: ${found}.` }], isError: true };
    },
  };
}

/** For a name that no tool has any more: nobody is asked about a call that can't be made. */
export function vanishedTool(name: string, why: string): AnyTool {
  return { ...awaitedTool(name, async () => why), forward: () => ({ ok: false, message: `Not run: ${why}.` }) };
}

/** Whether the members fit is looked at when it runs, against the definition that the thread has. */
function anyMembers(name: string, input: unknown) {
  if (input === undefined || input === null) return { ok: true as const, input: {} };
  const checked = inputOf(name, {}).parse(input);
  return checked.ok ? { ok: true as const, input } : { ok: false as const, message: `${name} takes an object` };
}

function titleOf(name: string, input: unknown): string {
  const json = JSON.stringify(input) ?? '';
  return `${name} ${json.length > TITLE ? `${json.slice(0, TITLE).toWellFormed()}…` : json}`;
}
