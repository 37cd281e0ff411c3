import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { run } from '../run.js';
import { loopbackModel, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

it('the sum of a run keeps what agents and judges took in a session that was left', async () => {
  const say = (text: string): Reply => ({ blocks: [{ type: 'text', text }], inputTokens: 1_000_000 });
  const task = { description: 'a task', prompt: 'SUB go', subagent_type: 'general-purpose' };
  const server = await loopbackModel([
    [{ type: 'tool_use', id: 'toolu_1', name: 'Agent', input: task }],
    say('from the agent'),
    [{ type: 'text', text: 'first' }],
    say('{"ok": true}'),
  ]);
  const { cwd, home } = (project = await testProject());
  model = server;
  const hooks = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'x' }] }] };
  const user = (content: string): string => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
  let out = '';
  await run({
    args: ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--settings', JSON.stringify({ hooks })],
    env: { PATH: process.env['PATH'], HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' },
    cwd,
    home,
    stdin: (async function* () {
      yield user('one') + user('/clear') + user('/cost');
    })(),
    stdout: { write: (text) => void (out += text) },
    stderr: { write: () => {} },
    signal: new AbortController().signal,
  });
  const lines = out.trim().split('\n');
  const totals = lines.map((line) => JSON.parse(line)).flatMap(({ type, total_cost_usd }) => (type === 'result' ? [total_cost_usd] : []));
  expect(totals).toHaveLength(3);
  expect(totals[0]).toBeGreaterThan(1);
  expect(totals).toEqual([totals[0], totals[0], totals[0]]);
});
