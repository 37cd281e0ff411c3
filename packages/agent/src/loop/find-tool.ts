/** Which tool a call is for, and with which input: checked, and followed where one tool stands for another. */
import type { ToolCall } from '@sidenote/engine';
import { currentToolName } from '@sidenote/node';
import { unreadableInput } from '../models/tool-input.js';
import type { AnyTool } from '../tools/tool.js';
import type { TurnOptions } from './agent.js';

type Tools = Pick<TurnOptions, 'tools' | 'laterTools'>;

/** `asked` is the call as it is judged and shown: under the name of the tool that runs. */
export type FoundTool =
  | { readonly ok: true; readonly tool: AnyTool; readonly input: unknown; readonly asked: ToolCall }
  | { readonly ok: false; readonly message: string };

/** The tool of this name: of the request, or of those that can be called without standing there; or one that had it before. */
function findTool(name: string, { tools, laterTools }: Tools): AnyTool | undefined {
  const named = (wanted: string): AnyTool | undefined => tools.find(({ spec }) => spec.name === wanted);
  return named(name) ?? laterTools?.(name) ?? named(currentToolName(name));
}

/** `message` is for the model. */
export function toolOf(call: ToolCall, tools: Tools): FoundTool {
  const tool = findTool(call.name, tools);
  if (tool === undefined) {
    const names = tools.tools.map(({ spec }) => spec.name).join(', ');
    return { ok: false, message: `There is no tool named ${call.name}. Tools: ${names}.` };
  }
  const unreadable = unreadableInput(call.input);
  return unreadable === null ? follow(call, tool, call.input) : { ok: false, message: unreadable };
}

/** One tool may stand for another, and that one for no third. */
function follow(call: ToolCall, tool: AnyTool, input: unknown): FoundTool {
  const parsed = tool.parse(input);
  if (!parsed.ok) return parsed;
  const forwarded = tool.forward?.(parsed.input);
  if (forwarded === undefined) return { ok: true, tool, input: parsed.input, asked: { ...call, name: tool.spec.name, input } };
  if (!forwarded.ok) return forwarded;
  const real = forwarded.tool.parse(forwarded.input);
  if (!real.ok) return real;
  return { ok: true, tool: forwarded.tool, input: real.input, asked: { ...call, name: forwarded.tool.spec.name, input: forwarded.input } };
}
