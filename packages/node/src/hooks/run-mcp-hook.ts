/** A hook that is a tool of an MCP server: called with what the event holds, its text read as a command's output would be. */
import type { Json } from '@sidenote/engine';
import { BoundedText } from './bounded-text.js';
import { isObject, type JsonObject } from './json.js';
import type { Handler } from './read-handler.js';
import type { HookRun, RunOptions } from './run-command-hook.js';
import { untilStopped } from './until-stopped.js';

/** What a call gave back: its texts, or why there are none. */
export type HookToolAnswer = { readonly type: 'done'; readonly text: string } | { readonly type: 'failed'; readonly why: string };

/** Calls a tool of a server that runs already. Nobody is asked about it: whoever set the hook has allowed it. May reject. */
export type HookToolCall = (
  call: { readonly server: string; readonly tool: string; readonly input: JsonObject },
  signal: AbortSignal,
) => Promise<HookToolAnswer>;

/** Never rejects. */
export async function runMcpHook({
  handler,
  input,
  signal,
  callTool,
}: Pick<RunOptions, 'input' | 'signal'> & {
  readonly handler: Handler & { readonly type: 'mcp_tool' };
  readonly callTool: HookToolCall | undefined;
}): Promise<HookRun> {
  if (callTool === undefined) return { type: 'failed', why: `there is no MCP server ${handler.server} in this session` };
  const { server, tool } = handler;
  const event = JSON.parse(input) as Json;
  const filled = filledWith(event, handler.input);
  return untilStopped({ limitMs: handler.limitMs, signal }, async (stop) => {
    const answer = await callTool({ server, tool, input: isObject(filled) ? filled : {} }, stop);
    if (answer.type === 'failed') return answer;
    const text = new BoundedText();
    text.add(Buffer.from(answer.text));
    return { type: 'ended', exit: 0, stdout: text.text, stderr: '', cut: text.isCut };
  });
}

const FIELD = /\$\{([\w.-]+)\}/g;

/** A text that is one placeholder becomes what stands there, of whatever type; in a longer one it becomes text. */
function filledWith(event: Json, value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => filledWith(event, item));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledWith(event, item ?? null)]));
  if (typeof value !== 'string') return value;
  const whole = /^\$\{([\w.-]+)\}$/.exec(value)?.[1];
  if (whole !== undefined) return at(event, whole) ?? '';
  return value.replaceAll(FIELD, (_all, path: string) => {
    const found = at(event, path) ?? '';
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

function at(event: Json, path: string): Json | undefined {
  let found: Json | undefined = event;
  for (const name of path.split('.')) {
    if (Array.isArray(found)) found = found[Number(name)];
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name];
    else return undefined;
  }
  return found;
}
