/** With the reference servers of the protocol, over each way that servers are reached. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { McpHub, McpOutcome } from './hub.js';
import { approved, never, testHub, watch } from './server.testing.js';

const require = createRequire(import.meta.url);
const programs = {
  'server-everything': require.resolve('@modelcontextprotocol/server-everything/package.json'),
  'server-filesystem': require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
};
const program = (name: keyof typeof programs) => join(dirname(programs[name]), 'dist', 'index.js');
const stdio = (name: keyof typeof programs, args: readonly string[]) => ({
  type: 'stdio',
  command: process.execPath,
  args: [program(name), ...args],
  env: {},
});

const hubs: McpHub[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  await Promise.all(hubs.splice(0).map((hub) => hub.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function connected(name: string, entry: object, env: Readonly<Record<string, string>> = {}): Promise<McpHub> {
  const hub = testHub({}, { servers: [approved(name, entry)], env: { PATH: process.env['PATH'], ...env }, pausesMs: [] });
  hubs.push(hub);
  await hub.settled({ ms: 25_000, signal: never });
  expect(hub.servers[0]).toMatchObject({ state: 'ready' });
  return hub;
}

/** Says on which free port the server listens, whatever it prints itself. */
const ANNOUNCE =
  'data:text/javascript,import net from "node:net"; const listen = net.Server.prototype.listen; net.Server.prototype.listen = function (...args) { this.once("listening", () => console.error("LISTENS " + this.address().port)); return listen.apply(this, args); };';

function listening(transport: 'streamableHttp' | 'sse'): Promise<number> {
  const child = spawn(process.execPath, ['--import', ANNOUNCE, program('server-everything'), transport], {
    env: { PATH: process.env['PATH'], PORT: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const port = /LISTENS (\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', () => reject(new Error(text)));
  });
}

const said = (outcome: McpOutcome) =>
  outcome.type === 'failed' ? outcome.why : outcome.content.map((block) => ('text' in block ? block.text : `[${block.type}]`)).join('\n');

async function behaves(hub: McpHub): Promise<void> {
  const call = (tool: string, input = {}, progress?: (text: string) => void) =>
    hub.call({ server: 'everything', tool }, input, { signal: never, ...(progress === undefined ? {} : { progress }) });
  expect(said(await call('echo', { message: 'hello' }))).toBe('Echo: hello');
  expect(said(await call('get-sum', { a: 2, b: 40 }))).toContain('42');
  expect(said(await call('get-tiny-image'))).toContain('[image]');
  expect(said(await call('echo', { wrong: 1 }))).toMatch(/invalid/i);
  const reading = await hub.ports.mcp.read(never);
  expect(reading.type === 'ready' && reading.value[0]?.instructions.length).toBeGreaterThan(100);
}

test('server-everything over standard streams: tools, pictures, resources, prompts, progress', async () => {
  const hub = await connected('everything', stdio('server-everything', ['stdio']));
  await behaves(hub);
  const [server] = hub.servers;
  const resource = server?.resources[0];
  expect(resource).toBeDefined();
  expect(said(await hub.read('everything', resource?.uri ?? '', { signal: never })).length).toBeGreaterThan(10);
  const prompt = server?.prompts.find(({ arguments: inputs }) => inputs.some(({ required }) => required));
  const inputs = Object.fromEntries((prompt?.arguments ?? []).map(({ name }) => [name, 'Paris']));
  expect(said(await hub.prompt({ server: 'everything', prompt: prompt?.prompt ?? '' }, inputs, { signal: never }))).toContain('Paris');
  const steps: string[] = [];
  const long = { server: 'everything', tool: 'trigger-long-running-operation' };
  await hub.call(long, { duration: 0.2, steps: 2 }, { signal: never, progress: (text) => steps.push(text) });
  expect(steps).toContain('1/2\n');
});

test('server-everything over streamable HTTP', async () => {
  const port = await listening('streamableHttp');
  await behaves(
    await connected(
      'everything',
      { type: 'http', url: 'http://127.0.0.1:${PORT}/mcp', headers: { 'x-a': '${NOTHING:-b}' } },
      { PORT: String(port) },
    ),
  );
});

test('server-everything over server-sent events', async () => {
  await behaves(await connected('everything', { type: 'sse', url: `http://127.0.0.1:${await listening('sse')}/sse`, headers: {} }));
});

test('an HTTP server that goes away is lost, and told so', async () => {
  const port = await listening('streamableHttp');
  const { look, until } = watch();
  const hub = testHub(
    {},
    { servers: [approved('everything', { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} })], pausesMs: [1], changed: look },
  );
  hubs.push(hub);
  await hub.settled({ ms: 25_000, signal: never });
  for (const child of children.splice(0)) child.kill('SIGKILL');
  const outcome = await hub.call({ server: 'everything', tool: 'echo' }, { message: 'x' }, { signal: never });
  expect(outcome.type).toBe('failed');
  await until(() => hub.servers[0]?.state === 'failed');
  expect(hub.servers[0]?.why).toContain('given up after 2 attempts');
});

test('server-filesystem: reads where it may, and its refusals are errors', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-mcp-')));
  writeFileSync(join(folder, 'a.txt'), 'words of a file\n');
  const hub = await connected('files', stdio('server-filesystem', [folder]));
  const read = (path: string) => hub.call({ server: 'files', tool: 'read_text_file' }, { path }, { signal: never });
  expect(said(await read(join(folder, 'a.txt')))).toContain('words of a file');
  expect(await read('/etc/passwd')).toMatchObject({ type: 'done', isError: true });
  const readOnly = hub.servers[0]?.tools.filter((tool) => tool.readOnly).map(({ tool }) => tool);
  expect(readOnly).toContain('read_text_file');
  expect(readOnly).not.toContain('write_file');
});
