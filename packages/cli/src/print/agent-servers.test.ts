import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { serverEntry } from '../../../node/src/mcp/server.testing.js';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const task = (type: string): Reply => [use('Agent', { description: 'a task', prompt: 'SUB go', subagent_type: type })];

async function set(replies: readonly Reply[], files: Readonly<Record<string, string>>) {
  model = await loopbackModel(replies);
  const made = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test', NODE: process.execPath });
  project = made;
  await made.put({ 'marks/.keep': '', ...files });
  const { bodies } = model;
  const tools = (n: number): readonly string[] => (bodies[n] as unknown as { tools: { name: string }[] }).tools.map(({ name }) => name);
  const started = async (): Promise<number> => (await readdir(join(made.cwd, 'marks'))).filter((name) => name.startsWith('start-')).length;
  return { ...made, bodies, tools, started, body: (n: number): string => JSON.stringify(bodies.at(n)) };
}
const own = (more: object = {}) => ({ own: serverEntry({ tools: ['dig'], instructions: 'OWN-INSTRUCTIONS', marks: 'marks', ...more }) });
const digger = (servers: unknown, tools = 'tools: Read\n') =>
  `---\nname: digger\ndescription: Digs.\n${tools}mcpServers: ${JSON.stringify(servers)}\n---\nDIGGER\n`;
const ALLOW = ['--allowedTools', 'mcp__own,mcp__shared'];

it('its own servers start with it: their tools stand in its request, and they end with it', async () => {
  const { run, tools, body, bodies, started } = await set(
    [task('digger'), [use('mcp__own__dig')], [say('dug')], [use('mcp__own__dig')], [say('done')]],
    { '.claude/agents/digger.md': digger([own()]) },
  );
  const { err } = await run('-p', 'go', '--trust', ...ALLOW);
  expect(err).not.toMatch(/MCP|mcpServers/);
  expect(tools(0).some((name) => name.startsWith('mcp__'))).toBe(false);
  expect(tools(1)).toEqual(['Read', 'mcp__own__dig']);
  expect(body(1)).toContain('OWN-INSTRUCTIONS');
  expect(body(2)).toContain('RESULT dig');
  expect(bodies[4]?.['messages']).toMatchObject({ length: 5 });
  expect(JSON.stringify(bodies[4]?.['messages'])).toMatch(/"is_error":true/);
  expect(body(4)).not.toContain('OWN-INSTRUCTIONS');
  expect(await started()).toBe(1);
});

it('servers of the session are named, and their tools are handed on', async () => {
  const { run, tools, body, started } = await set([task('digger'), [use('mcp__shared__dig')], [say('dug')], [say('done')]], {
    '.mcp.json': JSON.stringify({ mcpServers: { shared: own().own } }),
    '.claude/agents/digger.md': digger(['shared', 'nowhere']),
  });
  const { err } = await run('-p', 'go', '--trust', ...ALLOW);
  expect(err).toContain('the agent digger: there is no MCP server nowhere');
  expect(tools(1)).toEqual(['Read', 'mcp__shared__dig']);
  expect(body(2)).toContain('RESULT dig');
  expect(body(3)).toContain('(there is no MCP server nowhere)');
  expect(await started()).toBe(1);
});

it('what a project brings is started only when a person has approved it', async () => {
  const { run, tools, body, started } = await set([task('digger'), [say('dug')], [say('done')]], {
    '.claude/agents/digger.md': digger(own()),
  });
  const { err } = await run('-p', 'go');
  expect(err).toContain('the agent digger: its MCP server own is not started: nobody has approved it');
  expect(tools(1)).toEqual(['Read']);
  expect(body(2)).toContain('its MCP server own is not started');
  expect(await started()).toBe(0);
});

it('none of a file is started under --strict-mcp-config, and that is said', async () => {
  const { run, tools, started } = await set([task('digger'), [say('dug')], [say('done')]], { '.claude/agents/digger.md': digger(own()) });
  const { err } = await run('-p', 'go', '--trust', '--strict-mcp-config', '--mcp-config', '{"mcpServers":{}}');
  expect(err).toMatch(/the agent digger: .*digger\.md: MCP server own is left out by --strict-mcp-config/);
  expect(tools(1)).toEqual(['Read']);
  expect(await started()).toBe(0);
});

it('a server that fails keeps nothing from beginning, and is said', async () => {
  const { run, body } = await set([task('digger'), [say('dug')], [say('done')], [say('done')]], {
    '.claude/agents/digger.md': digger([own({ fail: 'FAIL-MARK' }), { bad: { url: 'x' } }]),
    '.claude/agents/odd.md': '---\nname: odd\ndescription: x\nmcpServers: [1]\n---\n',
  });
  const { err } = await run('-p', 'go', '--trust');
  expect(body(2)).toContain('dug');
  expect(body(2)).toMatch(/its MCP server own can't be used: [^)]*FAIL-MARK/);
  expect(err).toContain('MCP server \\"bad\\" is left out: an entry with a \\"url\\" needs'.replaceAll('\\', ''));
  expect(err).toContain('odd.md:4: `mcpServers` is no list of names and servers; it was left out');
});

it('a session that runs as an agent has its servers', async () => {
  const { run, body, started } = await set([[use('ToolSearch', { query: 'select:mcp__own__dig' })], [say('done')]], {});
  const agents = JSON.stringify({ digger: { description: 'x', prompt: 'y', mcpServers: own() } });
  const { err } = await run('-p', 'go', '--agents', agents, '--agent', 'digger');
  expect(err).not.toMatch(/MCP|mcpServers/);
  expect(await started()).toBe(1);
  expect(body(1)).toContain('does dig');
});

it('the example of the page is read as it stands', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../examples/agents/notekeeper.md'), 'utf8');
  const { run, tools } = await set([task('notekeeper'), [say('kept')], [say('done')]], {
    '.claude/agents/notekeeper.md': page,
    'notes.mjs': /^```js\n([^]*?)^```/m.exec(readFileSync(join(import.meta.dirname, '../../../../docs/mcp.md'), 'utf8'))?.[1] ?? '',
  });
  const { err } = await run('-p', 'go', '--trust');
  expect(err).not.toMatch(/MCP|mcpServers/);
  expect(tools(1)).toContain('mcp__notes__search');
});
