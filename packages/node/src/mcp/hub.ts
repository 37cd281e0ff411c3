/** All MCP servers of a session, connected side by side. Nobody waits for them longer than they say. */
import type { Ports } from '@sidenote/engine';
import { envNumber } from '../settings/env-numbers.js';
import { Connection } from './connection.js';
import { contentOf, resourceContents, type McpContent } from './content.js';
import { describePrompts, describeTools, shortened, type Described, type McpPrompt, type McpTool } from './described.js';
import type { ConfiguredServer, McpScope } from './approval.js';
import type { Logins } from './login/logins-file.js';
import { problemOf, type Problem } from './problem.js';
import { resourceMentions } from './resource-mentions.js';
import { describeEntry, expandEntry } from './server-config.js';
import { serverNames } from './tool-names.js';

export type McpServerStatus = {
  /** In tool names. */
  readonly name: string;
  /** In its file. */
  readonly called: string;
  readonly scope: McpScope;
  readonly file: string;
  readonly alwaysLoad: boolean;
  readonly state: 'connecting' | 'ready' | 'failed';
  /** Why it is not ready. */
  readonly why?: string;
  /** The command or address, variables as written. */
  readonly reaches: string;
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly { readonly uri: string; readonly name: string; readonly mimeType?: string }[];
  /** One line each: what was cut, renamed or could not be listed. */
  readonly notes: readonly string[];
};

/** What became of a request to a server. */
export type McpOutcome =
  | { readonly type: 'done'; readonly content: readonly McpContent[]; readonly isError: boolean }
  | { readonly type: 'failed'; readonly why: string };

export type McpCall = { readonly signal: AbortSignal; readonly progress?: (text: string) => void };

export interface McpHub {
  /** By name. */
  readonly servers: readonly McpServerStatus[];
  /** Resolves when no server is at its first attempt any more, after `ms` or when aborted. `only`: these servers, by their names in files. */
  settled(how: { readonly ms: number; readonly signal: AbortSignal; readonly only?: 'alwaysLoad' | readonly string[] }): Promise<void>;
  /** The same for what is told with a message: 140 ms at most, and only in the first second of the hub. */
  atStart(signal: AbortSignal): Promise<void>;
  call(tool: Pick<McpTool, 'server' | 'tool'>, input: Readonly<Record<string, unknown>>, how: McpCall): Promise<McpOutcome>;
  read(server: string, uri: string, how: McpCall): Promise<McpOutcome>;
  /** The words of a prompt, for the model. */
  prompt(prompt: Pick<McpPrompt, 'server' | 'prompt'>, inputs: Readonly<Record<string, string>>, how: McpCall): Promise<McpOutcome>;
  /** Tries a server again at once; undefined: there is none of this name. */
  reconnect(name: string): Promise<McpServerStatus | undefined>;
  readonly ports: Required<Pick<Ports, 'mcp' | 'mcpResources'>>;
  /** Ends every server with all that it started. */
  close(): Promise<void>;
}

export type HubOptions = {
  /** Those that are approved are started; the others are left alone. */
  readonly servers: readonly ConfiguredServer[];
  readonly cwd: string;
  /** For variables in entries, and the environment of servers. `MCP_TIMEOUT` and `MCP_TOOL_TIMEOUT` are read from it (milliseconds). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of this client. */
  readonly version: string;
  /** Logins at servers that are reached by an address. Default: none. */
  readonly logins?: Logins;
  /** A server is ready, lost, failed, or lists other things. */
  readonly changed?: () => void;
  /** Milliseconds before each further attempt. Default: 1, 2, 4, 8 s, so five attempts. */
  readonly pausesMs?: readonly number[];
};

type Server = {
  readonly name: string;
  readonly configured: ConfiguredServer;
  readonly reaches: string;
  readonly connection: Connection | undefined;
  /** Why it is not even tried. */
  readonly why: string;
};

/** Milliseconds that a message waits for servers at their first attempt (attachments are given 150 after all others), and for how long after the start. */
const AT_START = { most: 140, until: 1_000 } as const;
/** Milliseconds that a call waits for a server that is being connected. */
const CALL_WAIT = 10_000;
/** Milliseconds for a mentioned resource: less than a kind that is waited for has. */
const MENTION_WAIT = 9_000;

/** Starts connecting at once. */
export function createMcpHub(options: HubOptions): McpHub {
  const { env, cwd, version, pausesMs = [1_000, 2_000, 4_000, 8_000] } = options;
  const since = performance.now();
  const timeoutMs = envNumber(env, 'MCP_TIMEOUT') ?? 30_000;
  const toolTimeoutMs = envNumber(env, 'MCP_TOOL_TIMEOUT') ?? 600_000;
  const started = options.servers.filter(({ status }) => status === 'approved' || status === 'broken');
  const { names } = serverNames(started.map(({ name }) => name));
  const describedTools = new WeakMap<object, Described<McpTool>>();
  const describedPrompts = new WeakMap<object, Described<McpPrompt>>();
  const servers: readonly Server[] = started
    .map((configured): Server => {
      const name = names.get(configured.name) ?? configured.name;
      if (configured.status === 'broken') return { name, configured, reaches: '', connection: undefined, why: configured.why };
      const reaches = describeEntry(configured.entry);
      const expanded = expandEntry(configured.entry, env);
      if (!expanded.ok) {
        const why = `${expanded.missing.map((one) => `\${${one}}`).join(', ')} is not set (${configured.file})`;
        return { name, configured, reaches, connection: undefined, why };
      }
      const connection = new Connection({
        entry: expanded.entry,
        cwd,
        env,
        version,
        logins: options.logins,
        timeoutMs,
        pausesMs,
        changed: () => options.changed?.(),
      });
      return { name, configured, reaches, connection, why: '' };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

  const toolsOf = (server: string, { tools }: Connection['lists']): Described<McpTool> =>
    remembered(describedTools, tools, () => describeTools(server, tools));
  const promptsOf = (server: string, { prompts }: Connection['lists']): Described<McpPrompt> =>
    remembered(describedPrompts, prompts, () => describePrompts(server, prompts));
  const statusOf = (server: Server): McpServerStatus => {
    const { name, configured, reaches, connection } = server;
    const state = connection?.state ?? { type: 'failed' as const, why: server.why };
    const lists = connection?.lists ?? NO_LISTS;
    const [tools, prompts] = [toolsOf(name, lists), promptsOf(name, lists)];
    const why = 'why' in state ? state.why : undefined;
    return {
      name,
      called: configured.name,
      scope: configured.scope,
      file: configured.file,
      alwaysLoad: configured.alwaysLoad,
      state: state.type,
      ...(why === undefined ? {} : { why }),
      reaches,
      tools: tools.items,
      prompts: prompts.items,
      resources: lists.resources.map(({ uri, name: title, mimeType }) => ({
        uri,
        name: title,
        ...(mimeType === undefined ? {} : { mimeType }),
      })),
      notes: [...tools.notes, ...prompts.notes, ...(connection?.notes ?? [])],
    };
  };
  const named = (name: string): Server | undefined => servers.find((server) => server.name === name || server.configured.name === name);
  const isFirst = ({ connection }: Server): boolean => connection?.state.type === 'connecting' && connection.state.attempt === 1;
  const settled: McpHub['settled'] = async ({ only, ...how }) => {
    const isMeant = ({ configured }: Server): boolean =>
      only === undefined || (only === 'alwaysLoad' ? configured.alwaysLoad : only.includes(configured.name));
    const first = servers.filter((server) => isFirst(server) && isMeant(server));
    await Promise.all(first.map(({ connection }) => connection?.tried(how)));
  };
  const request = async (
    name: string,
    { signal, ms = CALL_WAIT }: { readonly signal: AbortSignal; readonly ms?: number },
    ask: (client: NonNullable<Awaited<ReturnType<Connection['client']>>>) => Promise<McpOutcome>,
  ): Promise<McpOutcome> => {
    const server = named(name);
    if (server === undefined)
      return {
        type: 'failed',
        why: `there is no MCP server ${name}${servers.length === 0 ? '' : ` (there are ${servers.map((one) => one.name).join(', ')})`}`,
      };
    const client = await server.connection?.client({ ms, signal });
    if (client === undefined) {
      const { state, why = '' } = statusOf(server);
      return {
        type: 'failed',
        why: `the MCP server ${name} is ${state === 'failed' ? 'not there' : 'not connected yet'}${why === '' ? '' : ` (${why})`}`,
      };
    }
    try {
      return await ask(client);
    } catch (error) {
      const problem: Problem = await problemOf(error);
      if (problem.isLost) server.connection?.lose(client, problem.why);
      return { type: 'failed', why: problem.why };
    }
  };

  const hub: McpHub = {
    get servers() {
      return servers.map(statusOf);
    },
    settled,
    atStart: (signal) => settled({ ms: Math.min(AT_START.most, AT_START.until - (performance.now() - since)), signal }),
    call: ({ server, tool }, input, { signal, progress }) =>
      request(server, { signal }, async (client) => {
        const result = await client.request(
          { method: 'tools/call', params: { name: tool, arguments: input } },
          {
            signal,
            timeout: toolTimeoutMs,
            maxTotalTimeout: toolTimeoutMs * 6,
            resetTimeoutOnProgress: true,
            ...(progress === undefined ? {} : { onprogress: (one) => progress(progressText(one)) }),
          },
        );
        const content = contentOf(result.content);
        const { structuredContent } = result;
        // Some give their result only as data.
        const data: readonly McpContent[] =
          content.length === 0 && structuredContent !== undefined ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : [];
        return { type: 'done', content: [...content, ...data], isError: result.isError === true };
      }),
    read: (server, uri, { signal }) =>
      request(server, { signal }, async (client) => ({
        type: 'done',
        content: resourceContents(await client.readResource({ uri }, { signal, timeout: timeoutMs, cacheMode: 'bypass' })),
        isError: false,
      })),
    prompt: ({ server, prompt }, inputs, { signal }) =>
      request(server, { signal }, async (client) => {
        const { messages } = await client.getPrompt({ name: prompt, arguments: { ...inputs } }, { signal, timeout: timeoutMs });
        return { type: 'done', content: contentOf(messages.map(({ content }) => content)), isError: false };
      }),
    async reconnect(name) {
      const server = named(name);
      if (server === undefined) return undefined;
      await server.connection?.reconnect();
      return statusOf(server);
    },
    ports: {
      mcp: {
        async read(signal) {
          await hub.atStart(signal);
          const value = servers.map(statusOf).map(({ name, state }, index) => ({
            name,
            state,
            instructions: state === 'ready' ? shortened(servers[index]?.connection?.instructions ?? '') : '',
          }));
          return { type: 'ready', value, version: '' };
        },
      },
      mcpResources: {
        find: (text) => resourceMentions(text, (name) => named(name) !== undefined),
        async read({ server, uri }, signal) {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(MENTION_WAIT)]);
          const outcome = await hub.read(server, uri, { signal: limit });
          if (outcome.type === 'failed') return { type: 'unusable', why: outcome.why };
          const content = outcome.content.flatMap((block) => (block.type === 'binary' ? [] : [block]));
          if (content.length > 0) return { type: 'resource', content };
          const binary = outcome.content.find((block) => block.type === 'binary');
          return {
            type: 'unusable',
            why: binary === undefined ? 'it is empty' : `it is binary (${binary.mediaType}, ${binary.bytes.length} bytes)`,
          };
        },
      },
    },
    async close() {
      await Promise.all(servers.map(({ connection }) => connection?.close()));
    },
  };
  return hub;
}

const NO_LISTS: Connection['lists'] = { tools: [], prompts: [], resources: [] };

function remembered<T>(known: WeakMap<object, T>, list: object, make: () => T): T {
  const value = known.get(list) ?? make();
  known.set(list, value);
  return value;
}

function progressText({
  progress,
  total,
  message,
}: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return `${message === undefined || message === '' ? count : `${message} (${count})`}\n`;
}
