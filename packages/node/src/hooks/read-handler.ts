/** One handler: a command that is run or an address that is asked, with its limit and how it is waited for. */
import type { Json } from '@sidenote/engine';
import { isObject, type JsonObject } from './json.js';

export type Handler = HandlerWork & {
  /** Milliseconds. */
  readonly limitMs: number;
  /** Nobody waits for it; what it says comes later. `wakes`: exit status 2 opens a turn. */
  readonly beside: 'no' | 'yes' | 'wakes';
  /** Once in a session. */
  readonly once: boolean;
  /** A permission rule that the call must fall under: `Bash(git push*)`. */
  readonly condition?: string;
  /** For the person, while it runs. */
  readonly status?: string;
  /** Equal for handlers that do the same. */
  readonly key: string;
};

type HandlerWork =
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
      readonly type: 'prompt';
      /** The rule; `$ARGUMENTS` stands for the event. */
      readonly prompt: string;
      /** Default: a small one. */
      readonly model?: string;
    };

/** Milliseconds for a model that judges, where the handler says nothing. */
const JUDGED = 30_000;
/** Characters of a command or an address in a line for a person. */
const SHOWN = 60;

/** A handler in a few words. */
export function handlerName(handler: Handler): string {
  const says = wordsOf(handler).replaceAll(/\s+/g, ' ').trim();
  return says.length > SHOWN ? `${says.slice(0, SHOWN)}…` : says;
}

function wordsOf(handler: Handler): string {
  if (handler.type === 'command') return [handler.command, ...(handler.args ?? [])].join(' ');
  return handler.type === 'http' ? handler.url : handler.prompt;
}

/** Undefined when it can't be run; what is wrong is reported. */
export function readHandler(
  value: Json,
  { limitMs, report }: { readonly limitMs: number; readonly report: (what: string) => void },
): Handler | undefined {
  if (!isObject(value)) {
    report('must be an object with a "type"; it was left out');
    return undefined;
  }
  const work = workOf(value, report);
  if (work === undefined) return undefined;
  const { once, if: condition, statusMessage: status } = value;
  return {
    ...work,
    limitMs: timeLimit(value, work.type === 'prompt' ? Math.min(limitMs, JUDGED) : limitMs, report),
    beside: value['asyncRewake'] === true ? 'wakes' : value['async'] === true ? 'yes' : 'no',
    once: once === true,
    ...(typeof condition === 'string' && condition.trim() !== '' ? { condition } : {}),
    ...(typeof status === 'string' && status.trim() !== '' ? { status } : {}),
    key: JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function workOf(value: JsonObject, report: (what: string) => void): HandlerWork | undefined {
  const { type, command, args, url, headers, allowedEnvVars, prompt, model } = value;
  if (type === 'command' || (type === undefined && typeof command === 'string')) {
    if (typeof command === 'string' && command.trim() !== '') return { type: 'command', command, ...argumentsOf(args) };
    report('of the type command has no "command"; it was left out');
    return undefined;
  }
  if (type === 'http') {
    if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url))
      return { type, url, headers: textsOf(headers), variables: listOf(allowedEnvVars) };
    report('of the type http has no "url" that begins with http:// or https://; it was left out');
    return undefined;
  }
  if (type === 'prompt') {
    if (typeof prompt === 'string' && prompt.trim() !== '')
      return { type, prompt, ...(typeof model === 'string' && model.trim() !== '' ? { model: model.trim() } : {}) };
    report('of the type prompt has no "prompt"; it was left out');
    return undefined;
  }
  report(
    typeof type === 'string'
      ? `is of the type "${type}", which is not run here (command, http and prompt are); it was left out`
      : 'has no "type"; it was left out',
  );
  return undefined;
}

function argumentsOf(args: Json | undefined): { readonly args?: readonly string[] } {
  return Array.isArray(args) ? { args: listOf(args) } : {};
}

/** Seconds, as settings give it, in milliseconds. */
function timeLimit({ timeout }: JsonObject, standard: number, report: (what: string) => void): number {
  if (timeout === undefined) return standard;
  if (typeof timeout === 'number' && timeout > 0) return Math.min(timeout * 1_000, 2 ** 31 - 1);
  report(`has a "timeout" that is no number of seconds above 0; ${standard / 1_000} s hold`);
  return standard;
}

const listOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

function textsOf(value: Json | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])));
}
