import type { Agent, AgentEvent, TurnResult } from '@sidenote/agent';
import type { PromptInput, Usage } from '@sidenote/engine';
import { describe, expect, it } from 'vitest';
import { joinedCommands } from '../commands/prompt-commands.js';
import type { Conversation } from '../conversation.js';
import { parseFlags, type Flags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { testQueue } from '../steering.testing.js';
import { print } from './print.js';

const usage: Usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: null };
const turn = (over: Partial<TurnResult> = {}): TurnResult => ({
  reason: 'done',
  text: 'all good',
  usage,
  steps: 2,
  durationMs: 12.4,
  apiMs: 8,
  usd: 0.5,
  denied: [],
  ...over,
});
const call = { id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };
const message = { id: 'msg_1', model: 'm', content: [{ type: 'text', text: 'all good' }], stop_reason: 'end_turn', usage };
const events: readonly AgentEvent[] = [
  { type: 'attachment-injected', kind: 'project_instructions', title: 'project instructions: 2 files' },
  { type: 'attachment-reported', collected: { kind: 'git_snapshot', outcome: 'late', ms: 200, why: 'git took too long' } },
  { type: 'response-started', usage },
  { type: 'thinking-delta', text: 'hm' },
  { type: 'text-delta', text: 'all ' },
  { type: 'text-delta', text: 'good' },
  { type: 'response-ended', message },
  { type: 'tool-started', call, title: 'Bash ls' },
  { type: 'tool-ended', call, outcome: { content: [{ type: 'text', text: 'a.ts' }] } },
  { type: 'attachment-reported', collected: { kind: 'git_snapshot', outcome: 'late', ms: 200, why: 'git took too long' } },
];

type Script = { readonly run: (input: PromptInput | string, stage: Stage) => AsyncGenerator<AgentEvent, void, void> };
type Stage = { readonly queue: ReturnType<typeof testQueue>; interrupted: string | undefined; readonly seen: (PromptInput | string)[] };

/** An agent that plays events, on a conversation that counts its sessions. */
function stage(
  script: Script['run'] = async function* () {
    yield* events;
    yield { type: 'turn-ended', result: turn() };
  },
) {
  const state: Stage = { queue: testQueue(), interrupted: undefined, seen: [] };
  const agent = {
    permissions: { mode: 'default' },
    run: (input: PromptInput | string) => {
      state.seen.push(input);
      state.queue.prompted(input);
      return script(input, state);
    },
    interrupt: async (why: string) => {
      state.interrupted = why;
    },
  } as unknown as Agent;
  let number = 1;
  const conversation = {
    agent,
    get session() {
      return { id: `session-${number}`, notes: [], main: state.queue.thread };
    },
    model: 'test-model',
    cwd: '/w',
    tools: ['Bash'],
    background: { list: () => [] },
    asidesUsd: 0,
    commands: joinedCommands([{ list: async () => [{ name: 'fix', summary: 'mends', isSkill: true }], run: async () => undefined }]),
    styles: { current: async () => ({ name: 'Plain' }) },
    keySource: 'none',
    renew: async () => void number++,
    close: async () => {},
  } as unknown as Conversation;
  return { state, open: async () => conversation };
}

async function* chunks(parts: Iterable<string>): AsyncGenerator<string, void, void> {
  yield* parts;
}

function process(args: readonly string[], stdin: AsyncIterable<string> = chunks([])) {
  const ending = new AbortController();
  let out = '';
  let err = '';
  const io: Io = {
    args,
    env: {},
    cwd: '/w',
    home: '/h',
    stdin,
    signal: ending.signal,
    stdout: {
      write: (text) => {
        out += text;
      },
    },
    stderr: {
      write: (text) => {
        err += text;
      },
    },
  };
  return {
    io,
    end: (reason: string) => ending.abort(reason),
    run: (open: () => Promise<Conversation>, more: Partial<Flags> = {}) => print(io, { ...parseFlags(args), ...more }, open),
    get out() {
      return out;
    },
    get err() {
      return err;
    },
    get lines(): Record<string, unknown>[] {
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}
const typesOf = (lines: readonly Record<string, unknown>[]) =>
  lines.map(({ type, subtype }) => (subtype === undefined ? type : `${type}/${subtype}`));
const user = (content: unknown) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
const STREAM = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];

describe('text', () => {
  it('prints the answer alone; notices once on standard error', async () => {
    const run = process(['-p', 'go']);
    expect(await run.run(stage().open)).toBe(0);
    expect(run.out).toBe('all good\n');
    expect(run.err).toBe('sidenote: git snapshot: late (git took too long)\n');
  });
  it('says with --verbose what was injected and what ran', async () => {
    const run = process(['-p', 'go', '--verbose']);
    await run.run(stage().open);
    expect(run.err).toContain('sidenote: ◇ project instructions: 2 files\n');
    expect(run.err).toContain('● Bash ls');
  });
  it('puts what was piped in before the prompt', async () => {
    const { state, open } = stage();
    await process(['-p', 'explain'], chunks(['line 1\n', 'line 2\n'])).run(open);
    expect(state.seen).toEqual([{ content: [{ type: 'text', text: 'line 1\nline 2\n\nexplain' }], own: ['explain'] }]);
  });
  it('takes what was piped in for the prompt where there are no other words', async () => {
    const { state, open } = stage();
    await process(['-p'], chunks(['explain @a.ts\n'])).run(open);
    expect(state.seen).toEqual([{ content: [{ type: 'text', text: 'explain @a.ts' }] }]);
  });
  it('puts an agent’s first words before the person’s, and takes them for neither the person’s nor a reason to doubt these', async () => {
    const { state, open } = stage();
    const more = { initialPrompt: 'Begin.' };
    await process(['-p'], chunks(['explain @a.ts\n'])).run(open, more);
    await process(['-p', 'why?'], chunks(['see @a.ts\n'])).run(open, more);
    await process(['-p']).run(open, more);
    expect(state.seen).toEqual([
      { content: [{ type: 'text', text: 'Begin.\n\nexplain @a.ts' }] },
      { content: [{ type: 'text', text: 'see @a.ts\n\nBegin.\n\nwhy?' }], own: ['Begin.\n\nwhy?'] },
      { content: [{ type: 'text', text: 'Begin.' }] },
    ]);
  });
  it('runs no command that was piped in beside words, and says that one of the words takes nothing', async () => {
    const { state, open } = stage();
    await process(['-p', 'what does this do?'], chunks(['/exit\n'])).run(open);
    expect(state.seen).toMatchObject([{ content: [{ text: '/exit\n\nwhat does this do?' }], own: ['what does this do?'] }]);
    const run = process(['-p', '/exit'], chunks(['a log\n']));
    expect(await run.run(open)).toBe(0);
    expect(run.err).toContain('/exit takes nothing from standard input');
    expect(state.seen).toHaveLength(1);
  });
  it('keeps errors out of standard output', async () => {
    const run = process(['-p', 'go']);
    const { open } = stage(async function* () {
      yield { type: 'turn-ended', result: turn({ reason: 'failed', text: 'no key: set ANTHROPIC_API_KEY' }) };
    });
    expect(await run.run(open)).toBe(1);
    expect([run.out, run.err]).toEqual(['', 'sidenote: no key: set ANTHROPIC_API_KEY\n']);
  });
  it('refuses an empty prompt', async () => {
    await expect(process(['-p'], chunks(['  \n'])).run(stage().open)).rejects.toThrow('needs a prompt');
  });
});

describe('json', () => {
  it('prints one result', async () => {
    const run = process(['-p', 'go', '--output-format', 'json']);
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
    const run = process(['-p', 'go', '--output-format', 'json']);
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
    const run = process(['-p', 'go', '--output-format', 'json']);
    expect(await run.run(() => Promise.reject(new Error('the disk is full')))).toBe(1);
    expect(run.lines).toEqual([expect.objectContaining({ type: 'result', is_error: true, result: 'the disk is full', session_id: null })]);
    const other = process(['-p', 'go', '--output-format', 'json']);
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

describe('stream-json', () => {
  it('shows messages and results of tools, and nothing that was injected', async () => {
    const run = process(['-p', 'go', '--output-format', 'stream-json', '--verbose']);
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
    const run = process(['-p', 'go', '--output-format', 'stream-json', '--include-partial-messages']);
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
    const run = process(
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
    const run = process([...STREAM, '--replay-user-messages'], chunks([user('one')]));
    await run.run(stage().open);
    expect(replayed(run.lines)).toEqual([
      expect.objectContaining({ type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'one' }] } }),
    ]);
    const quiet = process(STREAM, chunks([user('one')]));
    await quiet.run(stage().open);
    expect(replayed(quiet.lines)).toEqual([]);
  });
  it('stops at a bad line with a result that says what is wrong', async () => {
    const { state, open } = stage();
    const run = process(STREAM, chunks([user('one'), '{"type":"user"\n', user('never')]));
    expect(await run.run(open)).toBe(1);
    expect(state.seen).toHaveLength(1);
    expect(run.lines.at(-1)).toMatchObject({ type: 'result', is_error: true, subtype: 'error_during_execution' });
    expect(String(run.lines.at(-1)?.['result'])).toContain('not JSON');
  });
  it('goes on behind a prompt that can not be asked', async () => {
    const { state, open } = stage();
    const run = process(STREAM, chunks([user('one') + user(' ') + user([{ type: 'video' }]) + user('two')]));
    expect(await run.run(open)).toBe(1);
    expect(state.seen).toHaveLength(2);
    const results = run.lines.filter(({ type }) => type === 'result');
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true, true, false]);
    expect(run.err).toContain('the prompt is empty');
    expect(run.err).toContain('content[0] is no text, image or document block');
  });
  it('names skills, commands and the style in its first line', async () => {
    const run = process(STREAM, chunks([user('one')]));
    await run.run(stage().open);
    expect(run.lines[0]).toMatchObject({ subtype: 'init', skills: ['fix'], output_style: 'Plain' });
    expect(run.lines[0]?.['slash_commands']).toContain('fix');
  });
  it('runs slash commands: a new session announces itself', async () => {
    const { state, open } = stage();
    const run = process(STREAM, chunks([user('one') + user('/clear') + user('/nwe') + user('two')]));
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
    const run = process(STREAM, input());
    expect(await run.run(open)).toBe(0);
    expect(state.queue.steered).toEqual(['and tests']);
    expect(state.queue.thread.steered).toEqual([]);
    expect(state.seen).toHaveLength(tools ? 1 : 2);
    expect(run.lines.filter(({ type }) => type === 'result').map(({ num_turns }) => num_turns)).toEqual(tools ? [0, 2] : [2, 2]);
  });
});

it('interrupts the turn on a signal, and still ends with a result', async () => {
  const run = process(['-p', 'go', '--output-format', 'stream-json']);
  const { state, open } = stage(async function* (_input, current) {
    run.end('SIGINT');
    while (current.interrupted === undefined) await new Promise((resolve) => setImmediate(resolve));
    yield { type: 'turn-ended', result: turn({ reason: 'interrupted', text: 'interrupted' }) };
  });
  expect(await run.run(open)).toBe(130);
  expect(state.interrupted).toContain('SIGINT');
  expect(run.lines.at(-1)).toMatchObject({ type: 'result', subtype: 'error_during_execution' });
});
