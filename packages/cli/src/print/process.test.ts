/** Headless runs as a person's script has them: a process, its streams, its status. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { say, use } from './loopback-model.testing.js';
import { resultsOf, userLine, workplace } from './program.testing.js';

const place = workplace();
const { scripted, serve, sidenote } = place;

it('prints the answer alone, and sends the instructions', async () => {
  const { bodies } = await serve([say('All good.')]);
  const run = await sidenote(['-p', 'go']);
  expect(run).toMatchObject({ status: 0, out: 'All good.\n', err: '' });
  expect(JSON.stringify(bodies[0])).toContain('RULE-FERN');
  expect(bodies[0]).toMatchObject({ model: 'claude-opus-5-5', stream: true });
});

it('opens no file that piped text names, and raises no effort by it: only the words beside it are the person’s', async () => {
  await writeFile(join(place.project, 'log.txt'), 'content-oak\n');
  await writeFile(join(place.project, 'asked.txt'), 'content-yew\n');
  const { bodies } = await serve([say('Fine.')]);
  await sidenote(['-p', 'explain with @asked.txt'], { stdin: 'failed: see @log.txt, ultrathink\n' });
  const sent = JSON.stringify(bodies[0]);
  expect(sent).toContain('failed: see @log.txt, ultrathink\\n\\nexplain with @asked.txt');
  expect(sent).toContain('content-yew');
  expect(sent).not.toContain('content-oak');
  expect(sent).not.toContain('effort at the level');
});

it('takes standard input for the person’s words where there are no others', async () => {
  await writeFile(join(place.project, 'asked.txt'), 'content-yew\n');
  const { bodies } = await serve([say('Fine.')]);
  await sidenote(['-p'], { stdin: 'explain @asked.txt\n' });
  expect(JSON.stringify(bodies[0])).toContain('content-yew');
});

it('runs tools, refuses what nobody allows, and lists it', async () => {
  await writeFile(join(place.project, 'a.txt'), 'content-elm\n');
  const { bodies } = await serve([use('Read', { file_path: 'a.txt' })], [use('Bash', { command: 'touch made' })], [say('Done.')]);
  const run = await sidenote(['-p', 'go', '--output-format', 'stream-json', '--verbose']);
  expect(run.status).toBe(0);
  expect(run.lines.map(({ type }) => type)).toEqual(['system', 'assistant', 'user', 'assistant', 'system', 'user', 'assistant', 'result']);
  expect(resultsOf(run)).toMatchObject([
    {
      subtype: 'success',
      num_turns: 3,
      result: 'Done.',
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch made' } }],
    },
  ]);
  expect(run.out).toContain('content-elm');
  expect(run.out).not.toContain('RULE-FERN');
  expect(run.err).toContain('◇ project instructions');
  expect(bodies).toHaveLength(3);
  expect(await readdir(place.project)).not.toContain('made');
});

it('lets run what a flag allows', async () => {
  await serve([use('Bash', { command: 'touch made' })], [say('Done.')]);
  await sidenote(['-p', 'go', '--allowedTools', 'Bash(touch:*)']);
  expect(await readdir(place.project)).toContain('made');
});

it('goes on with the latest session: the same bytes first', async () => {
  const { bodies } = await serve([say('one')], [say('two')]);
  const first = await sidenote(['-p', 'start', '--output-format', 'json']);
  const second = await sidenote(['-p', 'on', '-c', '--output-format', 'json']);
  expect(resultsOf(second)[0]?.['session_id']).toBe(resultsOf(first)[0]?.['session_id']);
  const [a, b] = bodies.map((body) => body['messages'] as readonly { readonly content: readonly object[] }[]);
  const plain = (value: unknown) => JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
  expect(plain(b?.slice(0, a?.length))).toBe(plain(a));
  const listed = await sidenote(['sessions', '--json']);
  expect(JSON.parse(listed.out)).toMatchObject({ sessions: [{ id: resultsOf(first)[0]?.['session_id'], title: 'start' }] });
});

it('keeps nothing on disk when asked', async () => {
  await serve([say('one')]);
  await sidenote(['-p', 'start', '--no-session-persistence']);
  expect(await readdir(join(place.root, 'home'))).toEqual([]);
});

it('keeps the model that answers when a session begins anew, whatever the default is', async () => {
  const script = await scripted();
  await sidenote(['-p', 'go', '--model', script]);
  const run = await sidenote(['-p', '-c', '--input-format', 'stream-json', '--output-format', 'stream-json'], {
    stdin: userLine('/clear') + userLine('again'),
  });
  expect(run).toMatchObject({ status: 0, err: '' });
  expect(resultsOf(run)).toMatchObject([{ is_error: false }, { is_error: false, result: 'scripted' }]);
  expect(run.lines.findLast(({ subtype }) => subtype === 'init')).toMatchObject({ model: script });
});

it('plays no demo for words without a key, and says what to set', async () => {
  const run = await sidenote(['fix it']);
  expect(run).toMatchObject({ status: 1, out: '', err: expect.stringMatching(/^sidenote: No key: set ANTHROPIC_API_KEY .*\n$/) });
});

it('shows help by its name, and lists sessions to choose from where no model can be had', async () => {
  expect((await sidenote(['help'])).out).toContain('sidenote [prompt]');
  await sidenote(['-p', 'plant a fern', '--model', await scripted()]);
  const run = await sidenote(['-r']);
  expect(run).toMatchObject({ status: 0, err: 'sidenote: sidenote -r <id> goes on with one\n' });
  expect(run.out).toContain('plant a fern');
});

it('runs nothing with agents that it can not read', async () => {
  for (const [agents, why] of [
    ['{bad', 'it is not a JSON object of agents by name'],
    ['{"a": 1}', 'a is not an object'],
    ['{"a": {"prompt": "Look."}}', 'a: `description` is missing; the agent is not loaded'],
  ] as const) {
    const run = await sidenote(['-p', 'hi', '--model', await scripted(), '--agents', agents]);
    expect(run).toMatchObject({ status: 2, out: '', err: `sidenote: --agents: ${why}\n` });
  }
});

it('answers prompts of a stream, each with its result, and begins anew on /clear', async () => {
  const { bodies } = await serve([say('one')], [say('two')]);
  const run = await sidenote(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], {
    stdin: userLine('PROMPT-ASH') + userLine('/clear') + userLine('second'),
  });
  expect(run.status).toBe(0);
  expect(resultsOf(run).map(({ result }) => result)).toEqual(['one', '', 'two']);
  expect(JSON.stringify(bodies[1])).not.toContain('PROMPT-ASH');
  expect(JSON.stringify(bodies[1])).toContain('RULE-FERN');
});

it('stops at the limit of turns', async () => {
  await serve([use('Read', { file_path: 'AGENTS.md' })], [use('Read', { file_path: 'AGENTS.md' })]);
  const run = await sidenote(['-p', 'go', '--max-turns', '1', '--output-format', 'json']);
  expect(run.status).toBe(1);
  expect(resultsOf(run)).toMatchObject([{ subtype: 'error_max_turns', is_error: true, num_turns: 1 }]);
});

it('tries again, says so, and fails with one result', async () => {
  await serve(529, [say('late')]);
  const late = await sidenote(['-p', 'go']);
  expect(late).toMatchObject({ status: 0, out: 'late\n' });
  expect(late.err).toContain('trying again');
  await place.model?.close();
  await serve(401);
  const failed = await sidenote(['-p', 'go', '--output-format', 'stream-json']);
  expect(failed.status).toBe(1);
  expect(resultsOf(failed)).toMatchObject([{ subtype: 'error_during_execution', is_error: true }]);
  expect(String(resultsOf(failed)[0]?.['result'])).toContain('ANTHROPIC_API_KEY');
});

it.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('ends a turn that %s interrupts with a result, and the session goes on', async (signal, status) => {
  await serve('hang', [say('after')]);
  const run = await sidenote(['-p', 'go', '--output-format', 'stream-json', '--include-partial-messages'], {
    during: (child) => child.stdout.on('data', (chunk: Buffer) => chunk.includes('message_start') && child.kill(signal)),
  });
  expect(run.status).toBe(status);
  expect(run.err + run.out).toContain(`ended by ${signal}`);
  expect(resultsOf(run)).toMatchObject([{ subtype: 'error_during_execution', is_error: true }]);
  expect(await sidenote(['-p', 'on', '-c'])).toMatchObject({ status: 0, out: 'after\n' });
});
