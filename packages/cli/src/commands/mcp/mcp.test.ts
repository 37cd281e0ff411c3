import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UsageError } from '../../usage-error.js';
import { testProject, type TestProject } from '../run.testing.js';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
});
afterEach(() => project.remove());

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' '));

it('says which entry counts where another scope has one of the name', async () => {
  await project.run('mcp', 'add', 'docs', 'mine');
  const added = await project.run('mcp', 'add', 'docs', '--scope', 'project', 'ours');
  expect(added.out).toBe('added docs in .mcp.json (project)\n');
  expect(added.err).toContain(`docs of ${project.home}/.sidenote/mcp.json (local) counts here`);
  const removed = await project.run('mcp', 'remove', 'docs');
  expect(removed.err).toContain('docs of .mcp.json (project) counts here');
});

it('adds, lists and removes in the scope that is asked for, and leaves the rest of a file alone', async () => {
  await project.put({ '.mcp.json': '{\n  // ours\n  "mcpServers": { "old": { "command": "old" } }\n}\n' });
  expect((await project.run('mcp', 'add', 'docs', '--env', 'A=${B}', '--', 'npx', '-y', 'docs-server')).out).toBe(
    `added docs in ${project.home}/.sidenote/mcp.json (local)\n`,
  );
  await project.run(
    'mcp',
    'add',
    'shared',
    '--scope',
    'project',
    '--transport',
    'http',
    '-H',
    'Authorization: Bearer ${T}',
    'https://example.org/mcp',
  );
  await project.run('mcp', 'add', 'mine', '-s', 'user', 'mine-server');
  expect(await readFile(join(project.cwd, '.mcp.json'), 'utf8')).toContain('// ours');
  const { out, err } = await project.run('mcp', 'list');
  expect(lines(out)).toEqual([
    `docs approved local npx -y docs-server (${project.home}/.sidenote/mcp.json)`,
    `mine approved user mine-server (${project.home}/.sidenote/mcp.json)`,
    'old waiting project old (.mcp.json)',
    'shared waiting project https://example.org/mcp (http) (.mcp.json)',
  ]);
  expect(err).toContain('not started, since nobody has approved it: MCP server old, shared of .mcp.json');
  expect((await project.run('mcp', 'remove', 'old', '--scope', 'project')).out).toBe('removed old from .mcp.json (project)\n');
  const { servers } = JSON.parse((await project.run('mcp', 'list', '--json')).out) as { servers: { name: string }[] };
  expect(servers.map(({ name }) => name)).toEqual(['docs', 'mine', 'shared']);
});

it.each([
  [['mcp', 'ad'], 'did you mean add?'],
  [['mcp', 'add'], 'needs a name'],
  [['mcp', 'add', 'x'], 'needs a command'],
  [['mcp', 'add', 'x', '--transport', 'ws', 'y'], 'the type "ws" is not known'],
  [['mcp', 'add', 'x', '--env', 'A', 'y'], '"A" is not of the form name=value'],
  [['mcp', 'add', 'x', '--scope', 'all', 'y'], '--scope all: use local, project, user'],
  [['mcp', 'add', 'x', 'npx', '-y', 'z'], 'a command with flags stands behind --'],
])('%j is wrong use', async (args, message) => {
  const failure: unknown = await project.run(...args).catch((error: unknown) => error);
  expect(UsageError.isInstance(failure) && failure.message).toContain(message);
});

it('leaves a file alone that is no JSON, and says where a server is not', async () => {
  await project.put({ '.mcp.json': '{ "mcpServers": ' });
  await expect(project.run('mcp', 'add', 'x', '-s', 'project', 'y')).rejects.toThrow(
    '.mcp.json (project): it is not valid JSON; nothing was changed',
  );
  await expect(project.run('mcp', 'remove', 'x')).rejects.toThrow('there is no MCP server x in');
});
