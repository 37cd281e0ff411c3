/** What a server says of its tools and prompts, within the limits of what a model is told: cut, named, and nothing silent. */
import { head, type ToolSpec } from '@sidenote/engine';
import type { Prompt, Tool } from '@modelcontextprotocol/client';
import { toolNames } from './tool-names.js';

export type McpTool = {
  /** Name of the server in tool names. */
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  /** `mcp__server__tool` */
  readonly spec: ToolSpec;
  /** It says that it changes nothing. */
  readonly readOnly: boolean;
  /** Characters of a result that it asks to be given whole. */
  readonly resultLimit?: number;
};

export type McpPrompt = {
  readonly server: string;
  readonly prompt: string;
  /** `mcp__server__prompt` */
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
};

/** Characters of a description, and of a server's instructions. */
const LONGEST_TEXT = 2048;
/** Characters of JSON of one tool's inputs. */
const LARGEST_SCHEMA = 64 * 1024;
const MOST_TOOLS = 10_000;
/** Source: extension-formats, MCP output, 2026-08. */
const LARGEST_RESULT = 500_000;

export type Described<T> = { readonly items: readonly T[]; readonly notes: readonly string[] };

/** By name, whatever the order in which the server lists them. */
export function describeTools(server: string, tools: readonly Tool[]): Described<McpTool> {
  const { names, notes: renamed } = toolNames(
    server,
    tools.map(({ name }) => name),
  );
  const notes = [...renamed];
  const sorted = [...new Map(tools.map((tool) => [tool.name, tool])).values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (sorted.length > MOST_TOOLS) notes.push(`only the first ${MOST_TOOLS} of its ${sorted.length} tools are used`);
  const cut = sorted.filter(({ description = '' }) => description.length > LONGEST_TEXT).length;
  if (cut > 0) notes.push(`descriptions of ${cut} of its tools are cut at ${LONGEST_TEXT} characters`);
  const items = sorted.slice(0, MOST_TOOLS).flatMap((tool): readonly McpTool[] => {
    const name = names.get(tool.name);
    if (name === undefined) return [];
    const schema = schemaOf(tool);
    if (schema === undefined)
      notes.push(`the inputs of ${tool.name.slice(0, 80)} are described at too great length: it is called without that`);
    const limit = tool['_meta']?.['anthropic/maxResultSizeChars'];
    return [
      {
        server,
        tool: tool.name,
        spec: { name, description: shortened(tool.description ?? tool.title ?? ''), input_schema: schema ?? { type: 'object' } },
        readOnly: tool.annotations?.readOnlyHint === true,
        ...(typeof limit === 'number' && limit > 0 ? { resultLimit: Math.min(limit, LARGEST_RESULT) } : {}),
      },
    ];
  });
  return { items, notes };
}

function schemaOf({ inputSchema }: Tool): ToolSpec['input_schema'] | undefined {
  try {
    return JSON.stringify(inputSchema).length > LARGEST_SCHEMA ? undefined : inputSchema;
  } catch {
    // Nested more deeply than can be written down.
    return undefined;
  }
}

export function describePrompts(server: string, prompts: readonly Prompt[]): Described<McpPrompt> {
  const { names, notes } = toolNames(
    server,
    prompts.map(({ name }) => name),
  );
  const items = [...new Map(prompts.map((prompt) => [prompt.name, prompt])).values()].flatMap((prompt): readonly McpPrompt[] => {
    const name = names.get(prompt.name);
    const inputs = (prompt.arguments ?? []).map((one) => ({ name: one.name, required: one.required === true }));
    return name === undefined
      ? []
      : [{ server, prompt: prompt.name, name, description: shortened(prompt.description ?? ''), arguments: inputs }];
  });
  return { items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)), notes };
}

/** At most 2 KB, well formed. */
export function shortened(text: string): string {
  const whole = text.toWellFormed().trim();
  return whole.length <= LONGEST_TEXT ? whole : `${head(whole, LONGEST_TEXT - 1)}…`;
}
