/** Print mode with a stream of JSON lines, out or in. */
import { expect, it } from 'vitest';
import { call, chunks, printing, stage, STREAM, turn, typesOf, usage, user } from './print.testing.js';

it('shows messages and results of tools, and nothing that was injected', async () => {
  const run = printing(['-p', 'go', '--output-format', 'stream-json', '--verbose']);
  await run.run(stage().open);
  expect(typesOf(run.lines)).toEqual(['system/init', 'assistant', 'user', 'result/success']);
  expect(run.lines[0]).toMatchObject({
    session_id: 'session-1',
    cwd: '/w',
    tools: ['Bash'],
    model: 'test-model',
    permissionMode: 'default',
  });
  expect(run.lines[1]).toMatchObject({ message: { id: 'msg_1', role: 'assistant' }, session_id: 'session-1' });
  expect(run.lines[2]).toMatchObject({ message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] } });
  expect(run.out).not.toContain('project instructions');
});

it('rebuilds the events of a growing message', async () => {
  const run = printing(['-p', 'go', '--output-format', 'stream-json', '--include-partial-messages']);
  await run.run(stage().open);
  const parts = run.lines.filter(({ type }) => type === 'stream_event').map(({ event }) => event as { type: string; index?: number });
  expect(parts.map(({ type, index }) => `${type}${index ?? ''}`)).toEqual([
    'message_start',
    'content_block_start0',
    'content_block_delta0',
    'content_block_stop0',
    'content_block_start1',
    'content_block_delta1',
    'content_block_delta1',
    'content_block_stop1',
    'message_delta',
    'message_stop',
  ]);
});

it('answers each prompt of a stream, blocks too, and sums the cost', async () => {
  const { state, open } = stage();
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } };
  const run = printing(
    STREAM,
    chunks([
      user('one') + user([{ type: 'text', text: 'two' }, image]).slice(0, 30),
      user([{ type: 'text', text: 'two' }, image]).slice(30),
    ]),
  );
  expect(await run.run(open)).toBe(0);
  expect(state.seen).toEqual([{ content: [{ type: 'text', text: 'one' }] }, { content: [{ type: 'text', text: 'two' }, image] }]);
  const results = run.lines.filter(({ type }) => type === 'result');
  expect(results.map(({ total_cost_usd }) => total_cost_usd)).toEqual([0.5, 1]);
  expect(typesOf(run.lines).filter((type) => type === 'system/init')).toHaveLength(1);
});

it('repeats prompts only when asked', async () => {
  const replayed = (lines: readonly Record<string, unknown>[]) => lines.filter(({ isReplay }) => isReplay === true);
  const run = printing([...STREAM, '--replay-user-messages'], chunks([user('one')]));
  await run.run(stage().open);
  expect(replayed(run.lines)).toEqual([
    expect.objectContaining({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'one' }] } }),
  ]);
  const quiet = printing(STREAM, chunks([user('one')]));
  await quiet.run(stage().open);
  expect(replayed(quiet.lines)).toEqual([]);
});

it('stops at a bad line with a result that says what is wrong', async () => {
  const { state, open } = stage();
  const run = printing(STREAM, chunks([user('one'), '{"type":"user"\n', user('never')]));
  expect(await run.run(open)).toBe(1);
  expect(state.seen).toHaveLength(1);
  expect(run.lines.at(-1)).toMatchObject({ type: 'result', is_error: true, subtype: 'error_during_execution' });
  expect(String(run.lines.at(-1)?.['result'])).toContain('not JSON');
});

it('goes on behind a prompt that can not be asked', async () => {
  const { state, open } = stage();
  const run = printing(STREAM, chunks([user('one') + user(' ') + user([{ type: 'video' }]) + user('two')]));
  expect(await run.run(open)).toBe(1);
  expect(state.seen).toHaveLength(2);
  const results = run.lines.filter(({ type }) => type === 'result');
  expect(results.map(({ is_error }) => is_error)).toEqual([false, true, true, false]);
  expect(run.err).toContain('the prompt is empty');
  expect(run.err).toContain('content[0] is no text, image or document block');
});

it('names skills, commands and the style in its first line', async () => {
  const run = printing(STREAM, chunks([user('one')]));
  await run.run(stage().open);
  expect(run.lines[0]).toMatchObject({ subtype: 'init', skills: ['fix'], output_style: 'Plain' });
  expect(run.lines[0]?.['slash_commands']).toContain('fix');
});

it('runs slash commands: a new session announces itself', async () => {
  const { state, open } = stage();
  const run = printing(STREAM, chunks([user('one') + user('/clear') + user('/nwe') + user('two')]));
  expect(await run.run(open)).toBe(1);
  expect(state.seen).toHaveLength(2);
  expect(typesOf(run.lines).filter((type) => String(type).startsWith('system') || String(type).startsWith('result'))).toEqual([
    'system/init',
    'result/success',
    'system/init',
    'result/success',
    'result/error_during_execution',
    'result/success',
  ]);
  expect(run.lines.filter(({ type }) => type === 'result').map(({ session_id }) => session_id)).toEqual([
    'session-1',
    'session-2',
    'session-2',
    'session-2',
  ]);
  expect(run.out).toContain('did you mean /new?');
});

it.each([
  ['steers words that come while it works, and gives them a result of their own', true],
  ['gives words that come too late to be steered a turn of their own', false],
])('%s', async (_name, tools) => {
  let working = (): void => {};
  const started = new Promise<void>((resolve) => {
    working = resolve;
  });
  let arrived = false;
  async function* input() {
    yield user('start');
    await started;
    yield user('and tests');
    arrived = true;
  }
  const { state, open } = stage(async function* (_input, { queue }) {
    yield { type: 'response-started', usage };
    working();
    while (!arrived) await new Promise((resolve) => setImmediate(resolve));
    if (tools) {
      yield { type: 'tool-ended', call, outcome: { content: [] } };
      queue.deliver();
      yield { type: 'attachment-injected', kind: 'queued_commands', title: 'typed meanwhile' };
    }
    yield { type: 'turn-ended', result: turn() };
  });
  const run = printing(STREAM, input());
  expect(await run.run(open)).toBe(0);
  expect(state.queue.steered).toEqual(['and tests']);
  expect(state.queue.thread.steered).toEqual([]);
  expect(state.seen).toHaveLength(tools ? 1 : 2);
  expect(run.lines.filter(({ type }) => type === 'result').map(({ num_turns }) => num_turns)).toEqual(tools ? [0, 2] : [2, 2]);
});
