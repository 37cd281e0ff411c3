import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

let calls = 0;
const use = (command: string): Reply => [{ type: 'tool_use', id: `toolu_${++calls}`, name: 'Bash', input: { command } }];
const say = (text: string): Reply => [{ type: 'text', text }];

async function run(replies: readonly Reply[], hooks: unknown) {
  model = await loopbackModel(replies);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.put({ '.sidenote/settings.json': JSON.stringify({ hooks, permissions: { allow: ['Bash(echo:*)'] } }) });
  const ran = await project.run('-p', 'go', '--trust');
  const { bodies } = model;
  return { ...ran, bodies, body: (n: number): string => JSON.stringify(bodies[n]) };
}
const rule = (prompt: string, more = {}) => [{ hooks: [{ type: 'prompt', prompt, ...more }] }];

it('a small model judges a call by the rule: no is a refusal with its reason, yes lets it go on', async () => {
  const replies = [use('echo a'), say('```json\n{"ok": false, "reason": "NO-MARK"}\n```'), use('echo b'), say('{"ok": true}'), say('End.')];
  const { out, bodies, body } = await run(replies, { PreToolUse: rule('RULE-MARK for $ARGUMENTS, as written.') });
  expect(out).toBe('End.\n');
  expect(bodies[1]).toMatchObject({ model: 'claude-haiku-5-5', messages: [{ role: 'user' }] });
  expect(body(1)).toMatch(/RULE-MARK for [^]*echo a[^]*, as written\./);
  expect(body(2)).toContain('NO-MARK');
  expect(body(4).split('NO-MARK')).toHaveLength(2);
  expect(body(4)).toContain('"text":"b"');
});

it('a no at the end keeps the turn going, by the model that the hook names', async () => {
  const replies = [say('First.'), say('{"ok": false, "reason": "MORE-MARK"}'), say('Second.'), say('{"ok": true}')];
  const { out, bodies, body } = await run(replies, { Stop: rule('Are the tests run?', { model: 'sonnet' }) });
  expect(out).toBe('Second.\n');
  expect(bodies[1]).toMatchObject({ model: 'claude-sonnet-5-5' });
  expect(body(1)).toContain('last_assistant_message');
  expect(body(2)).toContain('MORE-MARK');
});

it('what the judge takes counts in the result, in /cost and for limits, once, and not in a fork', async () => {
  const yes = (): Reply => ({ blocks: [{ type: 'text', text: '{"ok": true}' }], inputTokens: 1_000_000 });
  const { bodies } = await run([say('End.'), yes(), say('Not judged.'), yes()], { Stop: rule('Done?') });
  expect(bodies).toHaveLength(2);
  const cost = async (...args: readonly string[]): Promise<string> => (await project?.run('-p', '/cost', ...args))?.out ?? '';
  expect(await cost('-c')).toMatch(/haiku-5-5[^\n]*1 (response|request|answer)/);
  expect(await cost('-c', '--fork-session')).not.toContain('haiku');
  const json = await project?.run('-p', 'more', '--trust', '--output-format', 'json', '--settings', '{"budget":{"tokens":1500000}}');
  expect(JSON.parse(json?.out ?? '').total_cost_usd).toBeCloseTo(0.5, 2);
  const resumed = await project?.run('-p', '-c', 'again', '--settings', '{"budget":{"tokens":900000}}');
  expect(resumed?.err).toContain('its limit is 900,000');
});

it('what can’t be read, fails or takes too long decides nothing, and is said', async () => {
  const replies: readonly Reply[] = [use('echo a'), say('maybe'), use('echo b'), 'hang', use('echo c'), 400, say('End.')];
  const { out, err } = await run(replies, { PreToolUse: rule('x', { timeout: 0.3 }), PostToolUse: [{ hooks: [{ type: 'prompt' }] }] });
  expect(out).toBe('End.\n');
  expect(err).toContain('a hook for PostToolUse of the type prompt has no "prompt"; it was left out');
  expect(err).toContain('the hook PreToolUse:Bash (x) failed: the model answered neither {"ok": true} nor {"ok": false, "reason": …}');
  expect(err).toContain('the hook PreToolUse:Bash (x) took longer than 0.3 s');
  expect(err).toMatch(/the hook PreToolUse:Bash \(x\) failed: .*400/);
});

it('the example of the page is asked at the end of a turn', async () => {
  const file = join(import.meta.dirname, '../../../../examples/hooks/judged.json');
  const { hooks } = JSON.parse(await readFile(file, 'utf8')) as { hooks: unknown };
  const { bodies } = await run(
    [say('All done, tests not run.'), say('{"ok": false, "reason": "Run them."}'), say('Ran.'), say('{"ok": true}')],
    hooks,
  );
  expect(bodies).toHaveLength(4);
});
