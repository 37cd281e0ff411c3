import { expect, it } from 'vitest';
import { runPromptHook, type HookJudge } from './run-prompt-hook.js';

const handler = (prompt: string, limitMs = 60_000) =>
  ({ type: 'prompt', prompt, limitMs, beside: 'no', once: false, failsClosed: false, key: prompt }) as const;
/** What a judge was asked that says yes. */
async function askedFor(prompt: string, input: string): Promise<string> {
  let rule = '';
  await runPromptHook({ handler: handler(prompt), input, cwd: '/', judge: async (question) => ((rule = question.rule), '{"ok": true}') });
  return rule;
}

it('puts the event into the rule as it stands, or behind it', async () => {
  expect(await askedFor('For $ARGUMENTS, and $ARGUMENTS.', '{"a": "$& $1 $$"}')).toBe('For {"a": "$& $1 $$"}, and {"a": "$& $1 $$"}.');
  expect(await askedFor('A rule.', '{}')).toBe('A rule.\n\n{}');
});

it('sends the beginning of a long event, and says how long it is', async () => {
  const rule = await askedFor('', 'x'.repeat(1_000_000));
  expect(rule.length).toBeLessThan(41_000);
  expect(rule).toContain(' … (1000000 characters in all)');
});

it('ends with its signal or its limit, whatever the judge does', async () => {
  const silent: HookJudge = () => new Promise(() => {});
  const stop = new AbortController();
  const running = runPromptHook({ handler: handler('x'), input: '{}', cwd: '/', signal: stop.signal, judge: silent });
  stop.abort();
  expect(await running).toEqual({ type: 'aborted' });
  expect(await runPromptHook({ handler: handler('x'), input: '{}', cwd: '/', signal: stop.signal, judge: silent })).toEqual({
    type: 'aborted',
  });
  const keep = setInterval(() => {}, 1_000);
  expect(await runPromptHook({ handler: handler('x', 1), input: '{}', cwd: '/', judge: silent })).toEqual({ type: 'timed-out' });
  clearInterval(keep);
});

it('reads a yes or a no, and decides nothing without one', async () => {
  const said = (answer: string) => runPromptHook({ handler: handler('x'), input: '{}', cwd: '/', judge: async () => answer });
  expect(await said('Sure: {"ok": true} as far as I see')).toMatchObject({ type: 'ended', exit: 0 });
  expect(await said('{"ok": false, "reason": "not so"}')).toMatchObject({ type: 'ended', exit: 2, stderr: 'not so' });
  expect(await said('{\n  "ok": false,\n  "reason": "not so,\n\tand not there"\n}')).toMatchObject({
    exit: 2,
    stderr: 'not so, and not there',
  });
  expect(await said('In f() { … } it {"reason": "not so", "ok": false}')).toMatchObject({ type: 'ended', exit: 2, stderr: 'not so' });
  for (const answer of ['', 'yes', '{"ok": "true"}', '{"ok": 1}', '[{']) expect((await said(answer)).type).toBe('failed');
  expect((await runPromptHook({ handler: handler('x'), input: '{}', cwd: '/', judge: undefined })).type).toBe('failed');
});
