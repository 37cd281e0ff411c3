/** Prompts of MCP servers as slash commands: `/mcp__server__prompt inputs`. */
import type { Content } from '@sidenote/engine';
import type { McpHub, McpPrompt } from '@sidenote/node';
import type { CommandPrompt, PromptCommands } from '../prompt-commands.js';

/** Milliseconds that a typed prompt waits for servers that are being connected. */
const PATIENCE = 10_000;
/** Characters of a server's words that are sent as a prompt: about as many as a tool of it may give. */
const LONGEST = 100_000;

export function mcpPrompts(hub: McpHub): PromptCommands {
  const all = (): readonly McpPrompt[] => hub.servers.flatMap(({ prompts }) => prompts);
  return {
    list: async () => all().map((prompt) => ({ name: prompt.name, summary: firstLine(prompt.description), hint: hintOf(prompt) })),
    async run(name, args, signal) {
      if (!name.startsWith('mcp__')) return undefined;
      const find = (): McpPrompt | undefined => all().find((prompt) => prompt.name === name);
      if (find() === undefined) await hub.settled({ ms: PATIENCE, signal });
      const prompt = find();
      return prompt === undefined ? undefined : ask(hub, prompt, { args, signal });
    },
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
const hintOf = ({ arguments: inputs }: McpPrompt): string =>
  inputs.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');

async function ask(
  hub: McpHub,
  prompt: McpPrompt,
  { args, signal }: { readonly args: string; readonly signal: AbortSignal },
): Promise<CommandPrompt> {
  const refused = (why: string): CommandPrompt => ({ type: 'refused', text: `/${prompt.name}: ${why}` });
  const inputs = inputsOf(prompt, args);
  const missing = prompt.arguments.filter(({ name, required }) => required && inputs[name] === undefined);
  if (missing.length > 0) return refused(`${missing.map(({ name }) => name).join(', ')} is missing (/${prompt.name} ${hintOf(prompt)})`);
  const outcome = await hub.prompt(prompt, inputs, { signal });
  if (outcome.type === 'failed') return refused(outcome.why);
  const content = outcome.content.map((block): Content =>
    block.type === 'binary' ? { type: 'text', text: `[${block.mediaType}]` } : block,
  );
  const length = content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  if (length > LONGEST) return refused(`the server gave ${length} characters for it; ${LONGEST} are sent at most`);
  return content.length === 0 ? refused('the server gave no words for it') : { type: 'prompt', content, own: [args] };
}

/** Words in the order of the prompt's inputs; quotes hold words together, and the last input takes what is left. */
function inputsOf({ arguments: names }: McpPrompt, args: string): Readonly<Record<string, string>> {
  const words = [...args.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole);
  const last = names.length - 1;
  const values = words.length > names.length && last >= 0 ? [...words.slice(0, last), words.slice(last).join(' ')] : words;
  return Object.fromEntries(names.flatMap(({ name }, index) => (values[index] === undefined ? [] : [[name, values[index]]])));
}
