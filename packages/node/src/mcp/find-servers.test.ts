import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { entryDigest } from './approval.js';
import { findServers, type FindOptions } from './find-servers.js';
import { expandEntry, readEntry, type McpEntry } from './server-config.js';

function place(files: Readonly<Record<string, unknown>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sidenote-mcp-')));
  const at = {
    root,
    cwd: join(root, 'p', 'app'),
    home: join(root, 'h'),
    configDir: join(root, 'h', '.sidenote'),
    env: {},
    managed: [join(root, 'managed.json')],
  };
  for (const folder of [at.cwd, join(root, 'p', '.git'), at.configDir]) mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { ...at, find: (options: Partial<FindOptions> = {}) => findServers({ ...at, ...options }) };
}
const runs = (command: string) => ({ command });
const shown = ({ servers }: Awaited<ReturnType<typeof findServers>>) =>
  servers.map((one) => `${one.name} ${one.scope} ${'entry' in one && one.entry.type === 'stdio' ? one.entry.command : ''} ${one.status}`);

test('the nearest scope has the whole entry; a flag goes before all but the organisation', async () => {
  const { find, cwd } = place({
    'managed.json': { mcpServers: { m: runs('managed') } },
    'p/.mcp.json': { mcpServers: { a: runs('project'), b: runs('project'), n: runs('root') } },
    'p/app/.mcp.json': { mcpServers: { n: runs('near') } },
    'h/.sidenote/mcp.json': { mcpServers: { a: runs('user'), c: runs('user'), m: runs('user') } },
    'h/.claude.json': { numStartups: 3, mcpServers: { c: runs('other'), d: runs('other') } },
  });
  writeFileSync(
    join(cwd, '..', '..', 'h', '.claude.json'),
    JSON.stringify({ mcpServers: { c: runs('other'), d: runs('other') }, projects: { [cwd]: { mcpServers: { b: runs('local') } } } }),
  );
  const found = await find();
  expect(shown(found)).toEqual([
    'a project project waiting',
    'b local local approved',
    'c user user approved',
    'd user other approved',
    'm managed managed approved',
    'n project near waiting',
  ]);
  expect(found.shadowed.map(({ name, scope }) => `${name} ${scope}`)).toEqual(['b project', 'n project', 'a user', 'm user', 'c user']);
  expect(shown(await find({ flags: ['{"mcpServers":{"a":{"command":"flag"}}}'] }))[0]).toBe('a flag flag approved');
  expect(shown(await find({ flags: ['{"mcpServers":{"x":{"command":"flag"}}}'], strict: true }))).toEqual(['x flag flag approved']);
  expect(shown(await find({ sources: ['user'] })).map((line) => line[0])).toEqual(['a', 'c', 'd', 'm']);
});

test('a server of the project is started when it was approved, as it was when it was approved', async () => {
  const entry: McpEntry = { type: 'stdio', command: 'run', args: [], env: {} };
  const { find } = place({ 'p/.mcp.json': { mcpServers: { a: entry } } });
  const status = async (options: Partial<FindOptions>) => (await find(options)).servers[0]?.status;
  expect(await status({})).toBe('waiting');
  expect(await status({ enabled: ['a'] })).toBe('approved');
  expect(await status({ approveAll: true })).toBe('approved');
  const answer = (answer: 'approved' | 'declined', of: McpEntry) => ({
    answers: async () => ({ a: { answer, entry: entryDigest(of) } }),
  });
  expect(await status(answer('approved', entry))).toBe('approved');
  expect(await status(answer('declined', entry))).toBe('declined');
  expect(await status(answer('approved', { ...entry, command: 'other' }))).toBe('waiting');
});

test('what its entry or a setting switches off is not started, whatever allows it', async () => {
  const { find } = place({ 'p/.mcp.json': { mcpServers: { a: { command: 'x' }, b: { command: 'x', disabled: true } } } });
  const statuses = async (options: Partial<FindOptions>) => (await find(options)).servers.map(({ status }) => status);
  expect(await statuses({ approveAll: true })).toEqual(['approved', 'off']);
  expect(await statuses({ enabled: ['a', 'b'], disabled: ['a'], approveAll: true })).toEqual(['off', 'off']);
});

test('numbers and truths are the words that they are written as', () => {
  const read = readEntry({ command: 'x', args: ['--port', 8080], env: { PORT: 8080, DEBUG: true } });
  expect(read.ok && read.entry).toEqual({ type: 'stdio', command: 'x', args: ['--port', '8080'], env: { PORT: '8080', DEBUG: 'true' } });
  expect(readEntry({ command: 'x', env: { A: null } })).toMatchObject({ ok: false });
});

test('what is wrong is a line, and the rest counts', async () => {
  const { find, root } = place({
    'p/.mcp.json':
      '{ "mcpServers": { // servers\n "a": {"command": "x"},\n "b": {"url": "http://x"}, "c": {"type": "ws", "url": "x"}, "d": 3, "e": {"command": "x", "args": "y"} } }',
    'h/.sidenote/mcp.json': '{ "mcpServers": { "f": {"command": "x"} ',
    'h/.claude.json': '{"numStartups": 1}',
    'managed.json': '[]',
  });
  const found = await find({ flags: ['nowhere.json', '{"servers":{}}'] });
  expect(found.refused.map((line) => line.replaceAll(root, ''))).toEqual([
    `/p/app/nowhere.json: can't be read for MCP servers (missing)`,
    '--mcp-config: there is no "mcpServers" in it',
  ]);
  expect(found.problems.map((line) => line.replaceAll(root, ''))).toEqual([
    '/managed.json: there is no "mcpServers" in it',
    '/h/.sidenote/mcp.json:1: not valid JSON here (close brace expected); what can be read of the file applies',
    '/p/.mcp.json: MCP server "b" is left out: an entry with a "url" needs "type": "http"',
    '/p/.mcp.json: MCP server "c" is left out: the type "ws" is not known; there are stdio, http and sse',
    '/p/.mcp.json: MCP server "d" is left out: it is no object',
    '/p/.mcp.json: MCP server "e" is left out: "args" must be a list of strings',
  ]);
  expect(shown(found).filter((line) => !line.includes('broken'))).toEqual(['a project x waiting', 'f user x approved']);
});

test('variables', () => {
  const read = readEntry({ command: '${BIN:-node}', args: ['${A}', '$A', '${B:-}'], env: { T: 'x${A}y' } });
  expect(read.ok && expandEntry(read.entry, { A: '1', BIN: '' })).toEqual({
    ok: true,
    entry: { type: 'stdio', command: 'node', args: ['1', '$A', ''], env: { T: 'x1y' } },
  });
  expect(read.ok && expandEntry(read.entry, {})).toEqual({ ok: false, missing: ['A'] });
});
