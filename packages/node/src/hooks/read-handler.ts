/** One handler: what is done, with its limit and how it is waited for. */
import type { Json } from '@sidenote/engine';
import { workOf, type HandlerWork } from './handler-work.js';
import { isObject, type JsonObject } from './json.js';

export type Handler = HandlerWork & {
  /** Milliseconds. */
  readonly limitMs: number;
  /** Nobody waits for it; what it says comes later. `wakes`: exit status 2 opens a turn. */
  readonly beside: 'no' | 'yes' | 'wakes';
  /** Once in a session. */
  readonly once: boolean;
  /** A failure counts as an objection: of what guards something. */
  readonly failsClosed: boolean;
  /** A permission rule that the call must fall under: `Bash(git push*)`. */
  readonly condition?: string;
  /** For the person, while it runs. */
  readonly status?: string;
  /** Equal for handlers that do the same. */
  readonly key: string;
};

/** Milliseconds for a model that judges, and for one that looks around first, where the handler says nothing. */
const JUDGED: Readonly<Partial<Record<HandlerWork['type'], number>>> = { prompt: 30_000, agent: 60_000 };
/** Characters of a command or an address in a line for a person. */
const SHOWN = 60;

/** A handler in a few words. */
export function handlerName(handler: Handler): string {
  const says = wordsOf(handler).replaceAll(/\s+/g, ' ').trim();
  return says.length > SHOWN ? `${says.slice(0, SHOWN)}…` : says;
}

function wordsOf(handler: Handler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ');
    case 'http':
      return handler.url;
    case 'mcp_tool':
      return `${handler.server}: ${handler.tool}`;
    case 'prompt':
    case 'agent':
      return handler.prompt;
  }
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
    limitMs: timeLimit(value, Math.min(limitMs, JUDGED[work.type] ?? limitMs), report),
    beside: value['asyncRewake'] === true ? 'wakes' : value['async'] === true ? 'yes' : 'no',
    once: once === true,
    failsClosed: closesOnFailure(value, work.type, report),
    ...(typeof condition === 'string' && condition.trim() !== '' ? { condition } : {}),
    ...(typeof status === 'string' && status.trim() !== '' ? { status } : {}),
    key: JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function closesOnFailure({ onFailure }: JsonObject, type: HandlerWork['type'], report: (what: string) => void): boolean {
  if (onFailure === undefined || onFailure === 'continue') return false;
  if (onFailure !== 'block') report('has an "onFailure" that is neither "block" nor "continue"; a failure decides nothing');
  else if (type !== 'command' && type !== 'http') report(`of the type ${type} has "onFailure": it holds for command and http alone`);
  else return true;
  return false;
}

/** Seconds, as settings give it, in milliseconds. */
function timeLimit({ timeout }: JsonObject, standard: number, report: (what: string) => void): number {
  if (timeout === undefined) return standard;
  if (typeof timeout === 'number' && timeout > 0) return Math.min(Math.ceil(timeout * 1_000), 2 ** 31 - 1);
  report(`has a "timeout" that is no number of seconds above 0; ${standard / 1_000} s hold`);
  return standard;
}
