/** Opens the conversation with one server: its process or its address, the handshake, and what is told of later changes. */
/* oxlint-disable unicorn/prefer-add-event-listener -- the client has handlers and no events */
import type { Client, ListChangedHandlers } from '@modelcontextprotocol/client';
import type { Logins } from './login/logins-file.js';
import { storedLogin } from './login/stored-login.js';
import { errorText, reasonBelow } from './problem.js';
import { startServer, type ServerProcess } from './server-process.js';
import type { McpEntry } from './server-config.js';
import { StdioTransport } from './stdio-transport.js';

export type OpenOptions = {
  readonly entry: McpEntry;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for the handshake. */
  readonly timeoutMs: number;
  readonly version: string;
  /** Logins at servers. Default: none. */
  readonly logins?: Logins | undefined;
  /** Ends what is being opened. */
  readonly signal: AbortSignal;
  /** A list of the server is another one now, or could not be asked for. */
  readonly changed: (list: keyof ListChangedHandlers, error: Error | null) => void;
  /** It is gone, and was not closed from here. */
  readonly lost: (why: string) => void;
};

export type OpenedClient = {
  readonly client: Client;
  close(): Promise<void>;
};

/** Why a server can't be reached. `final`: trying again would not help. */
export class McpConnectError extends Error {
  override readonly name = 'McpConnectError';
  readonly final: boolean;
  constructor(why: string, { final }: { readonly final: boolean }) {
    super(why);
    this.final = final;
  }
  static isInstance(error: unknown): error is McpConnectError {
    return error instanceof Error && error.name === 'McpConnectError';
  }
}

/** @throws {McpConnectError} */
export async function openClient(options: OpenOptions): Promise<OpenedClient> {
  const { entry } = options;
  // A process begins to start while the client is still being loaded.
  const server =
    entry.type === 'stdio'
      ? startServer({ command: entry.command, args: entry.args, cwd: options.cwd, env: { ...options.env, ...entry.env } })
      : undefined;
  try {
    return server === undefined ? await overHttp(options) : await overStdio(server, options);
  } catch (error) {
    await server?.end();
    throw McpConnectError.isInstance(error) ? error : connectError(error, entry, server);
  }
}

async function overStdio(server: ServerProcess, options: OpenOptions): Promise<OpenedClient> {
  const { deserializeMessage } = await import('@modelcontextprotocol/client');
  const transport = new StdioTransport({ server, parse: deserializeMessage });
  const client = await newClient(options);
  let closing = false;
  client.onclose = () => {
    if (!closing) options.lost([transport.ended ?? 'its streams were closed', server.complaint()].filter((part) => part !== '').join('; '));
  };
  try {
    await client.connect(transport, { timeout: options.timeoutMs, signal: options.signal });
  } catch (error) {
    closing = true;
    if (transport.ended !== undefined)
      throw new McpConnectError([transport.ended, server.complaint()].filter((part) => part !== '').join('; '), { final: false });
    throw error;
  }
  return {
    client,
    async close() {
      closing = true;
      await server.end();
      await client.close();
    },
  };
}

async function overHttp(options: OpenOptions): Promise<OpenedClient> {
  const { entry } = options;
  if (entry.type === 'stdio') throw new McpConnectError('it has no address', { final: true });
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  if (!URL.canParse(entry.url)) throw new McpConnectError('its url is not one', { final: true });
  // A token of the entry itself goes first.
  const isGiven = Object.keys(entry.headers).some((name) => name.toLowerCase() === 'authorization');
  const login = isGiven || options.logins === undefined ? undefined : await storedLogin(entry.url, options.logins);
  const init = { requestInit: { headers: { ...entry.headers } }, ...(login === undefined ? {} : { authProvider: login }) };
  const transport =
    entry.type === 'sse' ? new SSEClientTransport(new URL(entry.url), init) : new StreamableHTTPClientTransport(new URL(entry.url), init);
  const client = await newClient(options);
  let closing = false;
  client.onclose = () => {
    if (!closing) options.lost('the connection was closed');
  };
  try {
    await client.connect(transport, { timeout: options.timeoutMs, signal: options.signal });
  } catch (error) {
    closing = true;
    await client.close().catch(() => undefined);
    throw isRefusal(error) ? refusal({ isGiven, hadLogin: login !== undefined }) : error;
  }
  return {
    client,
    async close() {
      closing = true;
      // A courtesy that the server may not hold up.
      if (transport instanceof StreamableHTTPClientTransport) await briefly(transport.terminateSession());
      await client.close();
    },
  };
}

/** Nothing is offered to servers: no sampling, no questions to the person, no folders. */
async function newClient({ version, changed }: OpenOptions): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/client');
  const on = (list: keyof ListChangedHandlers) => ({
    autoRefresh: false,
    debounceMs: 100,
    onChanged: (error: Error | null) => changed(list, error),
  });
  const client = new Client(
    { name: 'sidenote', version },
    { listChanged: { tools: on('tools'), prompts: on('prompts'), resources: on('resources') } },
  );
  // Notifications and broken lines that nobody waits for.
  client.onerror = () => undefined;
  return client;
}

function isRefusal(error: unknown): boolean {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return status === 401 || status === 403 || (error instanceof Error && error.name === 'UnauthorizedError');
}

function refusal({ isGiven, hadLogin }: { readonly isGiven: boolean; readonly hadLogin: boolean }): McpConnectError {
  if (isGiven) return new McpConnectError('it does not take the token of its "headers"', { final: true });
  const what = hadLogin ? 'its login has run out' : 'it wants a login';
  return new McpConnectError(`${what} (\`sidenote mcp login\` with its name), or a header with a token`, { final: true });
}

function connectError(error: unknown, entry: McpEntry, server: ServerProcess | undefined): McpConnectError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    const isLine = entry.type === 'stdio' && entry.args.length === 0 && /\S\s+\S/.test(entry.command);
    return new McpConnectError(`its command was not found${isLine ? ': words behind the program belong into "args"' : ''}`, {
      final: true,
    });
  }
  if (code === 'EACCES') return new McpConnectError('its command may not be run', { final: true });
  const text = `${errorText(error, 300)}${reasonBelow(error)}`;
  const complaint = server?.complaint() ?? '';
  return new McpConnectError(complaint === '' ? text : `${text}; ${complaint}`, { final: false });
}

async function briefly(work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const { setTimeout: rest } = await import('node:timers/promises');
  await Promise.race([work.catch(() => undefined), rest(500, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
