/** How an MCP server is reached, as its entry in a file says it: checked, and with variables filled in when it is started. */
import { isObject } from '../settings/shape.js';

export type McpEntry =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth?: McpOauth;
    };

/** How one logs in there, where that can't be found out. */
export type McpOauth = {
  /** Of a client that was registered by hand; default: one is registered with each login. */
  readonly clientId?: string;
  /** Of this machine, for the way back; default: any. */
  readonly callbackPort?: number;
  /** Apart by spaces; default: those that the server names. */
  readonly scopes?: string;
};

/** `alwaysLoad`: its tools stand in the request from the start instead of being searched for. `disabled`: it is not to be started. */
export type ReadEntry =
  | { readonly ok: true; readonly entry: McpEntry; readonly alwaysLoad: boolean; readonly disabled: boolean }
  | { readonly ok: false; readonly why: string };

/** Reads one member of `mcpServers`. No `type` means `stdio`. */
export function readEntry(value: unknown): ReadEntry {
  const bad = (why: string): ReadEntry => ({ ok: false, why });
  if (!isObject(value)) return bad('it is no object');
  const { type = 'stdio', alwaysLoad = false, disabled = false } = value;
  if (typeof alwaysLoad !== 'boolean') return bad('"alwaysLoad" must be true or false');
  if (typeof disabled !== 'boolean') return bad('"disabled" must be true or false');
  if (type === 'stdio') {
    const { command } = value;
    const [args, env] = [textsOf(value['args'] ?? []), textRecordOf(value['env'] ?? {})];
    if (typeof command !== 'string' || command === '')
      return bad(typeof value['url'] === 'string' ? 'an entry with a "url" needs "type": "http"' : '"command" is missing');
    if (args === undefined) return bad('"args" must be a list of strings');
    if (env === undefined) return bad('"env" must be an object of strings');
    return { ok: true, entry: { type, command, args, env }, alwaysLoad, disabled };
  }
  if (type === 'http' || type === 'streamable-http' || type === 'sse') {
    const { url } = value;
    const headers = textRecordOf(value['headers'] ?? {});
    if (typeof url !== 'string' || url === '') return bad('"url" is missing');
    if (headers === undefined) return bad('"headers" must be an object of strings');
    const oauth = readOauth(value['oauth']);
    if (typeof oauth === 'string') return bad(oauth);
    const entry = { type: type === 'sse' ? 'sse' : 'http', url, headers, ...(oauth === undefined ? {} : { oauth }) } as const;
    return { ok: true, entry, alwaysLoad, disabled };
  }
  return bad(`the type ${JSON.stringify(type)} is not known; there are stdio, http and sse`);
}

/** Numbers, true and false are the words that they are written as: `"PORT": 8080`. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((item: unknown) => (['string', 'number', 'boolean'].includes(typeof item) ? [String(item)] : []));
  return texts.length === value.length ? texts : undefined;
}

function textRecordOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const texts = textsOf(Object.values(value));
  return texts === undefined ? undefined : Object.fromEntries(Object.keys(value).map((key, index) => [key, texts[index] ?? '']));
}

/** Undefined: nothing is said; a text: what is wrong. */
function readOauth(value: unknown): McpOauth | string | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return '"oauth" must be an object';
  const { clientId, callbackPort, scopes } = value;
  if (clientId !== undefined && typeof clientId !== 'string') return '"oauth.clientId" must be a string';
  if (scopes !== undefined && typeof scopes !== 'string') return '"oauth.scopes" must be a string';
  const isPort = typeof callbackPort === 'number' && Number.isInteger(callbackPort) && callbackPort > 0 && callbackPort < 65_536;
  if (callbackPort !== undefined && !isPort) return '"oauth.callbackPort" must be a port';
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(isPort ? { callbackPort } : {}),
    ...(scopes === undefined ? {} : { scopes }),
  };
}

export type Expanded = { readonly ok: true; readonly entry: McpEntry } | { readonly ok: false; readonly missing: readonly string[] };

/** Fills in `${NAME}` and `${NAME:-default}`; an empty variable counts as missing only for a default. */
export function expandEntry(entry: McpEntry, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing = new Set<string>();
  const fill = (text: string): string =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) => {
      const value = env[name];
      if (value !== undefined && (value !== '' || otherwise === undefined)) return value;
      if (otherwise === undefined) missing.add(name);
      return otherwise ?? '';
    });
  const fillAll = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fill(text)]));
  const filled: McpEntry =
    entry.type === 'stdio'
      ? { ...entry, command: fill(entry.command), args: entry.args.map(fill), env: fillAll(entry.env) }
      : { ...entry, url: fill(entry.url), headers: fillAll(entry.headers) };
  return missing.size === 0 ? { ok: true, entry: filled } : { ok: false, missing: [...missing] };
}

/** What an entry runs or reaches, for a person; variables as they are written, so that no secret is shown. */
export function describeEntry(entry: McpEntry): string {
  return entry.type === 'stdio' ? [entry.command, ...entry.args].join(' ') : `${entry.url} (${entry.type})`;
}
