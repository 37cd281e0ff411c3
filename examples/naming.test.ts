/** The scripted session of naming.json through the real loop, tools and files; only the model is not there. */
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, createPermissions, createTasks, defaultTools, readScript, scriptedAdapter, type AgentEvent } from '@sidenote/agent';
import { openSession } from '@sidenote/engine';
import { MemoryStore } from '@sidenote/engine/testing';
import { localPorts } from '@sidenote/node';
import { afterEach, beforeEach, expect, test } from 'vitest';

let cwd = '';
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'naming-')));
  await writeFile(join(cwd, 'AGENTS.md'), 'Functions are named in snake_case.\n');
  await writeFile(join(cwd, 'utils.js'), 'export function getUser() {}\n');
});
afterEach(() => rm(cwd, { recursive: true }));

test('the file is read, renamed from outside, and the next prompt tells so', async () => {
  const text = await readFile(new URL('naming.json', import.meta.url), 'utf8');
  const read = readScript(text, 'naming.json');
  if (read.type !== 'script') throw new Error(read.message);
  const adapter = scriptedAdapter(read.script, { cwd });
  const tasks = createTasks({ folder: join(cwd, 'output') });
  const tools = defaultTools({ cwd, env: process.env, outputDir: join(cwd, 'output'), tasks, home: cwd });
  const ports = localPorts({ cwd, home: cwd });
  const session = await openSession({
    model: 'scripted',
    tools: tools.map(({ spec }) => spec),
    system: 'You look after names.',
    store: new MemoryStore(),
    ports,
  });
  const permissions = createPermissions({ cwd, home: cwd, mode: 'default', rules: {} });
  const agent = createAgent({ session, adapter: () => adapter, tools, permissions, clock: ports.clock });

  const checked = await told(agent.run('Check the names in utils.js against our rules.'));
  expect(checked.injected).toEqual(expect.arrayContaining(['project_instructions', 'date_change']));
  expect(checked.ran).toEqual(['Read utils.js']);
  const asked = await told(agent.run('What day is it?'));
  expect(asked).toMatchObject({ injected: ['changed_files'], ran: [] });
  expect(asked.answer).toContain('The date stands in this conversation');
  await session.close();
});

async function told(events: AsyncIterable<AgentEvent>) {
  const seen = { injected: new Array<string>(), ran: new Array<string>(), answer: '' };
  for await (const event of events) {
    if (event.type === 'attachment-injected') seen.injected.push(event.kind);
    if (event.type === 'tool-started') seen.ran.push(event.title);
    if (event.type === 'turn-ended') seen.answer = event.result.text;
  }
  return seen;
}
