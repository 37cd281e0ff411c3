/** For tests: a small MCP server that does as its environment says, well or badly, and a hub to talk to it. */
import { tmpdir } from 'node:os';
import { createMcpHub, type HubOptions, type McpHub } from './hub.js';
import type { ConfiguredServer } from './approval.js';

/** Members of `DO`, as JSON in the server's environment. */
export type Behaviour = {
  /** Names; `grow` adds `grown`, `wait` tells of a first step and never answers, `huge` gives 50 MB, `fault` an error of 5 MB, `die` ends the server, `env` gives a variable. */
  readonly tools?: readonly string[];
  readonly instructions?: string;
  /** Milliseconds before the handshake is answered. */
  readonly slow?: number;
  /** Ends before the handshake, with these words on standard error. */
  readonly fail?: string;
  /** Prints this to its output first. */
  readonly noise?: string;
  /** Sends bytes without a line end, for ever. */
  readonly flood?: boolean;
  /** A folder: each start leaves a file there, and each cancelled request one named `cancelled`. */
  readonly marks?: string;
  /** By name of a tool: what a call gives back. */
  readonly results?: Readonly<Record<string, unknown>>;
  readonly resources?: Readonly<Record<string, string>>;
  readonly prompts?: Readonly<Record<string, string>>;
  /** A child of its own that ignores the end of its parent; its process id is left among the marks. */
  readonly child?: boolean;
  /** Refuses to list its tools a second time. */
  readonly listOnce?: boolean;
  readonly schema?: unknown;
  /** Tools that are listed without a word on their inputs. */
  readonly bare?: readonly string[];
  readonly description?: string;
  readonly readOnly?: boolean;
};

const SOURCE = String.raw`
const { createInterface } = require('node:readline');
const { writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const act = JSON.parse(process.env.DO);
const tools = [...(act.tools ?? [])];
let lists = 0;
const mark = (name, text = '') => act.marks && writeFileSync(act.marks + '/' + name, text);
mark('start-' + process.pid);
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
if (act.child) mark('child', String(spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid));
if (act.fail) { process.stderr.write(act.fail + '\n'); process.exit(3); }
if (act.noise) process.stdout.write(act.noise + '\n');
if (act.flood) { const part = Buffer.alloc(1 << 20, 'x'); const more = () => { while (process.stdout.write(part)); process.stdout.once('drain', more); }; more(); }
const text = (words) => ({ content: [{ type: 'text', text: words }] });
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'notifications/cancelled') return mark('cancelled');
  if (id === undefined) return;
  const answer = (result) => send({ id, result });
  if (method === 'initialize') {
    if (act.slow) await new Promise((resolve) => setTimeout(resolve, act.slow));
    return answer({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: { listChanged: true }, ...(act.resources ? { resources: {} } : {}), ...(act.prompts ? { prompts: {} } : {}) },
      serverInfo: { name: 'test', version: '1' }, ...(act.instructions ? { instructions: act.instructions } : {}),
    });
  }
  if (method === 'tools/list') {
    if (act.listOnce && lists++ > 0) return send({ id, error: { code: -32603, message: 'no list today' } });
    return answer({ tools: tools.map((name) => ({ name, description: act.description ?? 'does ' + name, ...(act.bare?.includes(name) ? {} : { inputSchema: act.schema ?? { type: 'object', properties: {} } }), ...(act.readOnly ? { annotations: { readOnlyHint: true } } : {}) })) });
  }
  if (method === 'resources/list') return answer({ resources: Object.keys(act.resources).map((uri) => ({ uri, name: uri })) });
  if (method === 'resources/read') {
    const found = act.resources[params.uri];
    return found === undefined ? send({ id, error: { code: -32002, message: 'no such resource' } }) : answer({ contents: [{ uri: params.uri, text: found }] });
  }
  if (method === 'prompts/list') return answer({ prompts: Object.keys(act.prompts).map((name) => ({ name, description: 'asks ' + name, arguments: [{ name: 'what', required: true }, { name: 'how' }] })) });
  if (method === 'prompts/get') return answer({ messages: [{ role: 'user', content: { type: 'text', text: act.prompts[params.name] + ' ' + JSON.stringify(params.arguments) } }] });
  if (method === 'tools/call') {
    if (params.name === 'wait') return send({ method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress: 1, total: 3, message: 'step' } });
    if (params.name === 'huge') return answer(text('a line of many\n'.repeat(3_500_000)));
    if (params.name === 'fault') return send({ id, error: { code: -32000, message: '\x1b[2Jno\n'.repeat(700_000) } });
    if (params.name === 'die') process.exit(7);
    if (params.name === 'env') return answer(text(String(process.env[params.arguments.name])));
    if (params.name === 'grow') {
      tools.push('grown');
      send({ method: 'notifications/tools/list_changed' });
      return answer(text('grew'));
    }
    return answer(act.results?.[params.name] ?? text('RESULT ' + params.name + ' ' + JSON.stringify(params.arguments)));
  }
  answer({});
});
`;

/** The entry of such a server, as it stands in a file. */
export function serverEntry(act: Behaviour, env: Readonly<Record<string, string>> = {}) {
  return { type: 'stdio' as const, command: process.execPath, args: ['-e', SOURCE], env: { ...env, DO: JSON.stringify(act) } };
}

export function approved(name: string, entry: object, more: Partial<ConfiguredServer> = {}): ConfiguredServer {
  return { name, scope: 'user', file: 'mcp.json', alwaysLoad: false, status: 'approved', entry, ...more } as ConfiguredServer;
}

/** A hub over servers of these behaviours, by name. */
export function testHub(servers: Readonly<Record<string, Behaviour>>, options: Partial<HubOptions> = {}): McpHub {
  return createMcpHub({
    servers: Object.entries(servers).map(([name, act]) => approved(name, serverEntry(act))),
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] },
    version: '0',
    ...options,
  });
}

/** Waits until something is so, told by the hub's own events: `changed` has to call `look`. */
export function watch(): { readonly look: () => void; until(isSo: () => boolean): Promise<void> } {
  const waiting = new Set<() => void>();
  return {
    look: () => waiting.forEach((again) => again()),
    until: (isSo) =>
      new Promise((resolve) => {
        const again = (): void => {
          if (!isSo()) return;
          waiting.delete(again);
          resolve();
        };
        waiting.add(again);
        again();
      }),
  };
}

export const never = new AbortController().signal;
