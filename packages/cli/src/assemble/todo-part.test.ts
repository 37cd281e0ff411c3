import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type Block, type LoopbackModel, type Reply } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const reads = (count: number): Block[][] => Array.from({ length: count }, () => [use('Bash', { command: 'echo fine' })]);

async function set(replies: readonly Reply[], settings: string, answerTo?: Parameters<typeof loopbackModel>[1]) {
  const server = await loopbackModel(replies, answerTo);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test', IS_SANDBOX: '1' });
  [model, project] = [server, made];
  await made.put({ '.claude/settings.json': settings });
  const body = (n: number): string => JSON.stringify(server.bodies.at(n));
  return { ...made, body };
}

/** The JSON under a mark in a page of the documentation. */
async function example(page: string, mark: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../../../docs', page), 'utf8');
  return new RegExp(`<!-- example: ${mark} -->\\s+\`\`\`json\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '';
}

it('recalls open todos by the unit of the settings that the documentation shows', async () => {
  const todos = [{ content: 'TODO-MARK', status: 'pending', activeForm: 'x' }];
  const { run, body } = await set([[use('TodoWrite', { todos })], ...reads(10), [say('done')]], await example('todos.md', 'settings'));
  expect((await run('-p', 'go')).status).toBe(0);
  expect(body(0)).toContain('"name":"TodoWrite"');
  expect(body(0)).not.toContain('"name":"TaskCreate"');
  expect(body(-2)).not.toContain('todo list was not updated');
  expect(body(-1)).toContain('The todo list was not updated for a while. Open in it:\\n- TODO-MARK');
});

it('recalls open tasks, and keeps them for the next run', async () => {
  const settings = JSON.stringify({ todos: 'tasks', attachments: { task_reminder: { unit: 'step' } } });
  const create = use('TaskCreate', { subject: 'TASK-MARK', description: 'all of it' });
  const { run, body } = await set([[create], ...reads(10), [say('done')], [use('TaskList', {})], [say('so')]], settings);
  await run('-p', 'go');
  expect(body(0)).not.toContain('"name":"TodoWrite"');
  expect(body(-1)).toContain('The task list was not updated for a while. Open in it:\\n- 1: TASK-MARK');
  await run('-p', 'again', '-c');
  expect(body(-1)).toContain('1: TASK-MARK (pending)');
});

it('says which commands a run leaves behind, and tells the next run that they are gone, once', async () => {
  const script = JSON.parse(await example('background.md', 'script')) as readonly Block[][];
  const replies = script.map((blocks) => blocks.map((block) => (block.type === 'tool_use' ? use(block.name, block.input) : block)));
  const { run, body } = await set([...replies, [say('ok')], [say('ok')]], '{}');
  const { err } = await run('-p', 'go', '--dangerously-skip-permissions');
  expect(err).toMatch(/bash-[0-9a-f]{8} \(command serve\) still ran, and ends with this run/);
  await run('-p', 'second', '-c');
  expect(body(-1)).toMatch(/In the background:\\n- bash-[0-9a-f]{8} ended with the process that ran it/);
  await run('-p', 'third', '-c');
  expect(body(-1).split('In the background:')).toHaveLength(2);
});

it('tells the end of a command once: a notification says nothing that TaskOutput has said', async () => {
  const start = use('Bash', { command: 'sleep 0.2; echo X-ELM', run_in_background: true });
  const { run, body } = await set([[start]], '{}', (request) => {
    const text = JSON.stringify(request['messages']);
    return [text.includes('exit code 0') ? say('fine') : use('TaskOutput', { task_id: /bash-[0-9a-f]{8}/.exec(text)?.[0] })];
  });
  await run('-p', 'go', '--dangerously-skip-permissions');
  await run('-p', 'on', '-c');
  expect(body(-1).split('ended with exit code 0')).toHaveLength(2);
  expect(body(-1)).not.toContain('<task-notification>');
});
