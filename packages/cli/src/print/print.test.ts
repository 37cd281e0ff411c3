import { describe, expect, it } from 'vitest';
import { chunks, events, printing, stage, turn } from './print.testing.js';

describe('text', () => {
  it('prints the answer alone; notices once on standard error', async () => {
    const run = printing(['-p', 'go']);
    expect(await run.run(stage().open)).toBe(0);
    expect(run.out).toBe('all good\n');
    expect(run.err).toBe('sidenote: git snapshot: late (git took too long)\n');
  });
  it('says with --verbose what was injected and what ran', async () => {
    const run = printing(['-p', 'go', '--verbose']);
    await run.run(stage().open);
    expect(run.err).toContain('sidenote: ◇ project instructions: 2 files\n');
    expect(run.err).toContain('● Bash ls');
  });
  it('puts what was piped in before the prompt', async () => {
    const { state, open } = stage();
    await printing(['-p', 'explain'], chunks(['line 1\n', 'line 2\n'])).run(open);
    expect(state.seen).toEqual([{ content: [{ type: 'text', text: 'line 1\nline 2\n\nexplain' }], own: ['explain'] }]);
  });
  it('takes what was piped in for the prompt where there are no other words', async () => {
    const { state, open } = stage();
    await printing(['-p'], chunks(['explain @a.ts\n'])).run(open);
    expect(state.seen).toEqual([{ content: [{ type: 'text', text: 'explain @a.ts' }] }]);
  });
  it('puts an agent’s first words before the person’s, and takes them for neither the person’s nor a reason to doubt these', async () => {
    const { state, open } = stage();
    const more = { initialPrompt: 'Begin.' };
    await printing(['-p'], chunks(['explain @a.ts\n'])).run(open, more);
    await printing(['-p', 'why?'], chunks(['see @a.ts\n'])).run(open, more);
    await printing(['-p']).run(open, more);
    expect(state.seen).toEqual([
      { content: [{ type: 'text', text: 'Begin.\n\nexplain @a.ts' }] },
      { content: [{ type: 'text', text: 'see @a.ts\n\nBegin.\n\nwhy?' }], own: ['Begin.\n\nwhy?'] },
      { content: [{ type: 'text', text: 'Begin.' }] },
    ]);
  });
  it('runs no command that was piped in beside words, and says that one of the words takes nothing', async () => {
    const { state, open } = stage();
    await printing(['-p', 'what does this do?'], chunks(['/exit\n'])).run(open);
    expect(state.seen).toMatchObject([{ content: [{ text: '/exit\n\nwhat does this do?' }], own: ['what does this do?'] }]);
    const run = printing(['-p', '/exit'], chunks(['a log\n']));
    expect(await run.run(open)).toBe(0);
    expect(run.err).toContain('/exit takes nothing from standard input');
    expect(state.seen).toHaveLength(1);
  });
  it('keeps errors out of standard output', async () => {
    const run = printing(['-p', 'go']);
    const { open } = stage(async function* () {
      yield { type: 'turn-ended', result: turn({ reason: 'failed', text: 'no key: set ANTHROPIC_API_KEY' }) };
    });
    expect(await run.run(open)).toBe(1);
    expect([run.out, run.err]).toEqual(['', 'sidenote: no key: set ANTHROPIC_API_KEY\n']);
  });
  it('refuses an empty prompt', async () => {
    await expect(printing(['-p'], chunks(['  \n'])).run(stage().open)).rejects.toThrow('needs a prompt');
  });
});

describe('json', () => {
  it('prints one result', async () => {
    const run = printing(['-p', 'go', '--output-format', 'json']);
    await run.run(stage().open);
    expect(run.lines).toEqual([
      expect.objectContaining({
        type: 'result',
        subtype: 'success',
        is_error: false,
        duration_ms: 12,
        duration_api_ms: 8,
        num_turns: 2,
        result: 'all good',
        session_id: 'session-1',
        total_cost_usd: 0.5,
        usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 5 },
        permission_denials: [],
      }),
    ]);
  });
  it.each([
    [turn({ reason: 'max-turns', text: '' }), 'error_max_turns'],
    [turn({ reason: 'interrupted' }), 'error_during_execution'],
  ])('names how a turn ended', async (result, subtype) => {
    const run = printing(['-p', 'go', '--output-format', 'json']);
    expect(
      await run.run(
        stage(async function* () {
          yield { type: 'turn-ended', result };
        }).open,
      ),
    ).toBe(1);
    expect(run.lines).toEqual([expect.objectContaining({ subtype, is_error: true })]);
  });
  it('has a result when no session can be opened, and when the agent throws', async () => {
    const run = printing(['-p', 'go', '--output-format', 'json']);
    expect(await run.run(() => Promise.reject(new Error('the disk is full')))).toBe(1);
    expect(run.lines).toEqual([expect.objectContaining({ type: 'result', is_error: true, result: 'the disk is full', session_id: null })]);
    const other = printing(['-p', 'go', '--output-format', 'json']);
    expect(
      await other.run(
        stage(async function* () {
          yield* events;
          throw new Error('broke');
        }).open,
      ),
    ).toBe(1);
    expect(other.lines).toEqual([expect.objectContaining({ result: 'broke', subtype: 'error_during_execution' })]);
  });
});

it('interrupts the turn on a signal, and still ends with a result', async () => {
  const run = printing(['-p', 'go', '--output-format', 'stream-json']);
  const { state, open } = stage(async function* (_input, current) {
    run.end('SIGINT');
    while (current.interrupted === undefined) await new Promise((resolve) => setImmediate(resolve));
    yield { type: 'turn-ended', result: turn({ reason: 'interrupted', text: 'interrupted' }) };
  });
  expect(await run.run(open)).toBe(130);
  expect(state.interrupted).toContain('SIGINT');
  expect(run.lines.at(-1)).toMatchObject({ type: 'result', subtype: 'error_during_execution' });
});
