import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

/** A step that goes on, and reports so many tokens as input. */
const read = (inputTokens: number): Reply => ({ blocks: [use('Read', { file_path: 'a.txt' })], inputTokens });

async function set(settings: unknown, replies: readonly Reply[]) {
  const server = await loopbackModel(replies);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
  [model, project] = [server, made];
  await made.put({ '.claude/settings.json': JSON.stringify(settings), 'a.txt': 'one\n' });
  const told = (n: number, words: string): number => JSON.stringify(server.bodies.at(n)?.['messages']).split(words).length - 1;
  return { ...made, bodies: server.bodies, told };
}

it('tells the dollars that are left at first and with each tenth, and stops at the limit without running what was asked for', async () => {
  // Opus 5.5: 4 $ for a million tokens of input.
  const { run, bodies, told } = await set({ budget: { usd: 1 } }, [read(40_000), read(1), read(250_000)]);
  const { out, err, status } = await run('-p', 'go', '--output-format', 'json');
  expect(bodies).toHaveLength(3);
  expect(told(0, 'This session may cost $1.00; $0.0000 are spent')).toBe(1);
  expect(told(1, 'This session may cost')).toBe(2);
  expect(told(2, 'This session may cost')).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ subtype: 'error_max_budget_usd', is_error: true });
  expect(out).toContain('Stopped: the session has cost $1.16');
  expect([status, err]).toEqual([1, expect.any(String)]);
});

it('gives nothing back for a report below zero', async () => {
  const { run, bodies } = await set({ budget: { tokens: 50_000 } }, [read(40_000), read(-1_000_000), read(20_000)]);
  const { out } = await run('-p', 'go', '--output-format', 'json');
  expect(bodies).toHaveLength(3);
  expect(JSON.parse(out)).toMatchObject({ subtype: 'error_max_budget_tokens' });
});

it('takes the limit of the command line before that of settings, and stays stopped when resumed', async () => {
  const { run, bodies } = await set({ budget: { usd: 100 } }, [{ blocks: [say('fine')], inputTokens: 100_000 }]);
  expect((await run('-p', 'go', '--max-budget-usd', '0.3')).status).toBe(0);
  const second = await run('-p', 'more', '-c', '--max-budget-usd', '0.3');
  expect([second.status, second.out]).toEqual([1, '']);
  expect(second.err).toContain('A higher limit (--max-budget-usd, budget.usd) lets it go on.');
  expect(bodies).toHaveLength(1);
  expect((await run('-p', 'more', '-c')).status).toBe(0);
});

it('counts what sub-agents take, and stops them, too', async () => {
  const { run, bodies } = await set({ budget: { tokens: 50_000 } }, [
    [use('Agent', { description: 'a task', prompt: 'SUB' })],
    read(60_000),
    [say('never')],
  ]);
  const { out } = await run('-p', 'go', '--output-format', 'json');
  expect(bodies).toHaveLength(2);
  expect(JSON.parse(out)).toMatchObject({ subtype: 'error_max_budget_tokens' });
});

it('says in /cost what each agent took', async () => {
  const { run } = await set({}, [[use('Agent', { description: 'a task', prompt: 'SUB', subagent_type: 'Explore' })]]);
  await run('-p', 'go');
  const { out } = await run('-p', '/cost', '-c');
  expect(out).toMatch(
    /^by agent:\n {2}main thread: \$0\.\d{4} in 2 responses, 14 tokens of output\n {2}Explore \S+: \$0\.\d{4} in 1 response, 7 tokens of output$/m,
  );
});

it('tells tokens against the limits of the session, and output against a target for a turn', async () => {
  const { run, told } = await set(
    { budget: { tokens: 100_000, outputTokens: 1_000 }, attachments: { output_token_usage: { target: 10 } } },
    [read(15_000), [say('ok')]],
  );
  await run('-p', 'go');
  expect(told(0, 'This session may take 100,000 tokens in all, input included; 0 are used and 100,000 are left.')).toBe(1);
  expect(told(0, 'Output of this session: 0 of 1,000 tokens.')).toBe(1);
  expect(told(1, '15,107 are used and 84,893 are left')).toBe(1);
  expect(told(1, 'Output of this turn: 7 tokens, of about 10 that a turn should take.')).toBe(1);
});

it('tells the window where half of it is used, with every turn where that is asked for, and never where it is off', async () => {
  const models = { 'claude-opus-5-5': { window: 40_000 } };
  const half = await set({ models }, [read(21_000), [say('ok')]]);
  await half.run('-p', 'go', '--trust');
  expect([half.told(0, 'Context window:'), half.told(1, 'Context window:')]).toEqual([0, 1]);
  await half.put({ '.claude/settings.json': JSON.stringify({ models, attachments: { token_usage: { cadence: 'every-turn' } } }) });
  await half.run('-p', 'more', '-c', '--trust');
  expect(half.told(-1, 'Context window:')).toBe(2);
  await half.put({ '.claude/settings.json': JSON.stringify({ models, attachments: { token_usage: 'off' } }) });
  await half.run('-p', 'more', '-c', '--trust');
  expect(half.told(-1, 'Context window:')).toBe(2);
});

it('refuses to go on under a limit in dollars that it could not hold', async () => {
  const { run, bodies } = await set({}, []);
  const { err, status } = await run('-p', 'go', '--model', 'claude-unheard-of', '--max-budget-usd', '1');
  expect(status).toBe(1);
  expect(err).toContain("can't be held, since the price of claude-unheard-of is not known");
  expect(bodies).toHaveLength(0);
});

it('takes a word for more thought as a word, and not from code', async () => {
  const { run, told } = await set({}, []);
  await run('-p', 'ultrathink: why is it slow?');
  expect(told(0, 'effort at the level max in this turn')).toBe(1);
  await run('-p', 'what does `ultrathink` in src/ultrathink.ts do?');
  expect(told(1, 'effort at the level')).toBe(0);
});

it('says which options have no effect, and which kinds there are not', async () => {
  const { run } = await set({ attachments: { token_usage: { cadense: 'every-turn' }, date_change: { x: 1 }, token_usag: 'off' } }, []);
  const { err } = await run('-p', 'go');
  expect(err).toContain('attachments.token_usage.cadense has no effect: did you mean cadence?');
  expect(err).toContain('attachments.date_change.x has no effect: the kind is on or off');
  expect(err).toContain('attachments.token_usag names no kind of context: did you mean token_usage?');
});

it('takes the example of its page', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/usage.md'), 'utf8');
  const { run, told } = await set(JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? ''), []);
  const { err } = await run('-p', 'go');
  expect(err).not.toContain('setting');
  expect(told(0, 'This session may cost $5.00')).toBe(1);
  expect(told(0, 'This session may take 2,000,000 tokens')).toBe(1);
  expect(told(0, 'of about 4,000 that a turn should take')).toBe(1);
});
