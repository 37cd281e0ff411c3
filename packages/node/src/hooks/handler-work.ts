/** What a handler does: runs a command, asks an address, calls a tool of a server, or has a model judge. */
import type { Json } from '@sidenote/engine';
import { isObject, type JsonObject } from './json.js';

export type HandlerWork =
  | {
      readonly type: 'command';
      readonly command: string;
      /** The command is a program then, and no shell reads it. */ readonly args?: readonly string[];
    }
  | {
      readonly type: 'http';
      readonly url: string;
      /** `$NAME` and `${NAME}` stand for the variables that `variables` names. */
      readonly headers: Readonly<Record<string, string>>;
      readonly variables: readonly string[];
    }
  | {
      readonly type: 'mcp_tool';
      readonly server: string;
      /** As the server calls it. */
      readonly tool: string;
      /** `${path.to.field}` in its texts stands for what the event holds there. */
      readonly input: JsonObject;
    }
  | {
      /** `agent`: the model looks around in the project first. */
      readonly type: 'prompt' | 'agent';
      /** The rule; `$ARGUMENTS` stands for the event. */
      readonly prompt: string;
      /** Default: a small one. */
      readonly model?: string;
    };

/** Undefined when it can't be done; what is wrong is reported. */
export function workOf(value: JsonObject, report: (what: string) => void): HandlerWork | undefined {
  const { type, command, args, url, headers, allowedEnvVars, server, tool, input, prompt, model } = value;
  const lacks = (what: string): undefined => void report(`of the type ${String(type ?? 'command')} has no ${what}; it was left out`);
  switch (type ?? (typeof command === 'string' ? 'command' : undefined)) {
    case 'command':
      return isFilled(command) ? { type: 'command', command, ...(Array.isArray(args) ? { args: listOf(args) } : {}) } : lacks('"command"');
    case 'http':
      return isFilled(url) && /^https?:\/\//i.test(url) && URL.canParse(url)
        ? { type: 'http', url, headers: textsOf(headers), variables: listOf(allowedEnvVars) }
        : lacks('"url" that begins with http:// or https://');
    case 'mcp_tool':
      if (!isFilled(server)) return lacks('"server"');
      if (!isFilled(tool)) return lacks('"tool"');
      if (input !== undefined && !isObject(input)) return lacks('"input" that is an object');
      return { type: 'mcp_tool', server: server.trim(), tool: tool.trim(), input: input ?? {} };
    case 'prompt':
    case 'agent':
      if (!isFilled(prompt)) return lacks('"prompt"');
      return { type: type === 'agent' ? 'agent' : 'prompt', prompt, ...(isFilled(model) ? { model: model.trim() } : {}) };
    default:
      report(
        typeof type === 'string'
          ? `is of the type "${type}", which there is not (command, http, mcp_tool, prompt and agent are); it was left out`
          : 'has no "type"; it was left out',
      );
      return undefined;
  }
}

const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && value.trim() !== '';

const listOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function textsOf(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])));
}
