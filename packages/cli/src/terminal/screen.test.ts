import type { Agent, AgentEvent, Ask, TurnResult } from '@sidenote/agent';
import type { ChainRecord, PromptInput, RequestPlan, Usage } from '@sidenote/engine';
import { afterEach, expect, it, vi } from 'vitest';
import type { Conversation } from '../conversation.js';
import { pathMatches } from './path-matches.js';
import { runScreen } from './screen.js';
import { TestClock, TestScreen } from './test-screen.js';
import { themeOf } from './theme.js';
import { createView } from './view.js';

const usage: Usage = { input_tokens: 1_000, output_tokens: 500, cache_read_input_tokens: 18_500, cache_creation_input_tokens: 0 };
const turn = (over: Partial<TurnResult> = {}): TurnResult => ({
  reason: 'done',
  text: '',
  usage,
  steps: 1,
  durationMs: 1,
  apiMs: 1,
  usd: 0.1,
  denied: [],
  ...over,
});
const edit = { id: 'c1', name: 'Edit', input: { file_path: 'a.ts', old_string: 'const one = 1;', new_string: 'const one = 2;' } };
const answer = (text: string): AgentEvent => ({
  type: 'response-ended',
  message: { id: 'm', model: 'test-model', content: [{ type: 'text', text } as { type: string }], stop_reason: 'end_turn', usage },
});
const record = {
  id: 'r1',
  type: 'attachment',
  kind: 'project_instructions',
  title: 'project instructions: 2 files',
  content: [{ type: 'text', text: 'Use tabs.\nNever spaces.' }],
} as unknown as ChainRecord;

type Run = (input: string, ask: Ask) => AsyncGenerator<AgentEvent, void, void>;
const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A screen on an agent that plays what the test says. */
function stage(
  run: Run,
  options: { columns?: number; rows?: number; env?: Record<string, string>; window?: readonly ChainRecord[]; head?: string } = {},
) {
  const screen = new TestScreen(options.columns ?? 80, options.rows ?? 24);
  const clock = new TestClock();
  const ending = new AbortController();
  const steered: string[] = [];
  const seen: (PromptInput | string)[] = [];
  const interrupted: string[] = [];
  const kept: string[] = [];
  const news: AsyncGenerator<AgentEvent, void, void>[] = [];
  let tellNews = (): void => {};
  let mode = 'default';
  const theme = themeOf(options.env ?? {});
  const conversation = (ask: Ask): Conversation => {
    const session = {
      id: 's',
      notes: [],
      main: { transcript: { head: options.head ?? null, window: options.window ?? [], read: () => ({ models: new Map() }) } },
    };
    const agent = {
      session,
      permissions: {
        get mode() {
          return mode;
        },
      },
      run: (input: PromptInput) => {
        seen.push(input);
        return run(input.content.map((block) => ('text' in block ? block.text : '')).join('|'), ask);
      },
      wake: () => news.splice(0, 1)[0] ?? null,
      steer: async (words: string) => void steered.push(words),
      interrupt: async (why: string) => void interrupted.push(why),
    } as unknown as Agent;
    return {
      agent,
      session,
      model: 'test-model',
      profile: { window: 200_000, price: null },
      cwd: '/tmp',
      setMode: async (next: string) => {
        mode = next;
      },
      close: async () => {},
    } as unknown as Conversation;
  };
  const ended = runScreen({
    view: (hooks) =>
      createView({
        ...hooks,
        screen,
        theme,
        cwd: '/tmp',
        commands: [{ name: 'help', description: 'this list' }],
        mentionable: async (typed) => pathMatches(['src/split.js', 'src/a b.js'], typed),
      }),
    theme,
    clock,
    signal: ending.signal,
    cwd: '/tmp',
    folder: '~/project',
    greeting: 'Sidenote',
    history: { load: async () => ['older words'], add: async (words) => void kept.push(words) },
    open: async ({ ask, news: told }) => {
      tellNews = told;
      return conversation(ask);
    },
  });
  open.push(() => ending.abort('SIGTERM'));
  const shows = (words: string) => vi.waitFor(() => expect(screen.text()).toContain(words));
  return {
    screen,
    clock,
    ended,
    shows,
    steered,
    seen,
    interrupted,
    kept,
    /** Background work has news, and the agent answers with `events`. */
    wakes(events: AsyncGenerator<AgentEvent, void, void>) {
      news.push(events);
      tellNews();
    },
    hides: (words: string) => vi.waitFor(() => expect(screen.text()).not.toContain(words)),
  };
}

const simple: Run = async function* () {
  yield { type: 'attachment-injected', kind: 'project_instructions', title: 'project instructions: 2 files' };
  yield { type: 'attachment-injected', kind: 'git_snapshot', title: 'git snapshot' };
  yield { type: 'response-started', usage };
  yield { type: 'text-delta', text: '# Plan\n\nI change **one** ' };
  yield { type: 'text-delta', text: 'line.' };
  yield answer('# Plan\n\nI change **one** line.');
  yield { type: 'tool-started', call: edit, title: 'Edit a.ts' };
  yield {
    type: 'tool-ended',
    call: edit,
    outcome: { content: [], display: { hunks: ['@@ -1 +1 @@\n-const one = 1;\n+const one = 2;\n'] } },
  };
  yield { type: 'turn-ended', result: turn() };
};

it('paints an editor and a status line, then a whole turn, at 80x24', async () => {
  const { screen, shows } = stage(simple);
  await shows('asks first · test-model · 0% of 200k · $0.00 · ~/project');
  screen.enter('change it');
  await shows('10% of 200k');
  const rows = screen
    .text()
    .split('\n')
    .map((row) => row.trimEnd());
  expect(rows).toEqual([
    'Sidenote',
    '',
    '',
    '› change it',
    '',
    '◇ project instructions: 2 files, git snapshot',
    'Plan',
    '',
    'I change one line.',
    '',
    '● Edit a.ts',
    '  @@ -1 +1 @@',
    '  -const one = 1;',
    '  +const one = 2;',
    '─'.repeat(80),
    '',
    '─'.repeat(80),
    'asks first · test-model · 10% of 200k · $0.00 · ~/project',
  ]);
});

it('expands what was injected, and folds it again', async () => {
  const { screen, shows, hides } = stage(simple, { window: [record], columns: 200, rows: 50 });
  await shows('asks first');
  screen.enter('go');
  await shows('git snapshot');
  expect(screen.text()).not.toContain('Never spaces.');
  screen.type('\u000f');
  await shows('│ Never spaces.');
  screen.type('\u000f');
  await hides('Never spaces.');
});

it('fits narrow screens and follows a resize', async () => {
  const { screen, shows } = stage(simple, { columns: 200, rows: 50 });
  await shows('~/project');
  screen.enter('go');
  await shows('10% of');
  screen.resize(30, 20);
  await vi.waitFor(() => expect(screen.text()).toContain('─'.repeat(30)));
  await shows('asks first · test-model · 10%…');
  screen.resize(80, 24);
  await shows('$0.00 · ~/project');
});

it('gives no colour when none is wanted', async () => {
  const { screen, shows } = stage(simple, { env: { NO_COLOR: '1' } });
  await shows('asks first');
  screen.enter('go');
  await shows('10% of');
  expect(screen.raw).not.toMatch(/\u001b\[(3[0-7]|4[0-7]|9[0-7]|10[0-7]|38|48)(;\d+)*m/);
});

it('obeys no escape sequence of the model or a tool', async () => {
  const { screen, shows } = stage(async function* () {
    yield answer('safe \u001b]0;owned\u0007\u001b[2Jtext');
    yield { type: 'tool-started', call: edit, title: 'Bash \u001b[31mred' };
    yield { type: 'tool-ended', call: edit, outcome: { content: [{ type: 'text', text: 'progress 1\rprogress 2\u001b[1A\u202etfel' }] } };
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('asks first');
  screen.enter('go');
  await shows('progress 2<U+202E>tfel');
  expect(screen.text()).toContain('safe text');
  expect(screen.raw).not.toContain('owned');
});

const asking: Run = async function* (_input, ask) {
  const given = await ask({ call: edit, title: 'Edit a.ts', why: 'writes a file', rules: ['Edit(a.ts)'] }, new AbortController().signal);
  yield answer(`answered: ${JSON.stringify(given)}`);
  yield { type: 'turn-ended', result: turn() };
};

it('takes no key for an answer that was meant for the editor', async () => {
  const { screen, clock, shows } = stage(asking);
  await shows('asks first');
  screen.enter('go');
  await shows('May this run? Edit a.ts');
  await shows('+const one = 2;');
  clock.advance(200);
  screen.type('1');
  clock.advance(200);
  screen.type('x', '1');
  await shows('1x1');
  clock.advance(400);
  screen.type('\u001b[200~1\u001b[201~');
  await shows('1x11');
  clock.advance(400);
  screen.type('1', '2');
  await shows('1x1112');
  expect(screen.text()).not.toContain('answered');
  clock.advance(400);
  screen.type('1');
  clock.advance(100);
  await shows('answered: {"type":"once"}');
  expect(screen.text()).toContain('1x1112');
});

it('shows all of a command that it asks for, and where it is refused, once', async () => {
  const command = `echo ${'x'.repeat(100)} && rm -r /tmp/build\n${Array.from({ length: 14 }, (_, index) => `echo line-${index}`).join('\n')}`;
  const bash = { id: 'b1', name: 'Bash', input: { command } };
  const { screen, clock, shows, hides } = stage(
    async function* (_input, ask) {
      const request = { call: bash, title: `Bash ${command}`, why: 'no rule allows rm', rules: ['Edit(//tmp/a.ts)'] };
      yield { type: 'permission-requested', request };
      await ask(request, new AbortController().signal);
      yield { type: 'permission-denied', call: bash, why: 'The person declined this call.' };
      yield {
        type: 'tool-ended',
        call: bash,
        outcome: { content: [{ type: 'text', text: 'The person declined this call.' }], isError: true },
      };
      yield { type: 'turn-ended', result: turn() };
    },
    { rows: 50 },
  );
  await shows('asks first');
  screen.enter('go');
  await shows('May this run? Bash echo');
  await shows('rm -r /tmp/build');
  await shows('ctrl+o shows all of it');
  expect(screen.text()).toContain('for this session: Edit(a.ts)');
  expect(screen.text()).not.toContain('line-13');
  screen.type('\u000f');
  await shows('line-13');
  screen.type('\u000f');
  await hides('line-13');
  clock.advance(400);
  screen.type('3');
  clock.advance(100);
  await shows('What should be done instead?');
  screen.type('\r');
  await shows('✗ Bash echo xxx');
  await hides('May this run?');
  expect(screen.text().split('declined this call')).toHaveLength(2);
});

it('shows how a command failed, and why: its first line and its last ones', async () => {
  const bash = { id: 'b1', name: 'Bash', input: {} };
  const text = ['Exit code 1', ...Array.from({ length: 40 }, (_, index) => `line-${index}`)].join('\n');
  const { screen, shows } = stage(async function* () {
    yield { type: 'attachment-injected', kind: 'at_mentioned_files', title: `mentioned: /tmp/${'deep/'.repeat(20)}a.ts` };
    yield { type: 'tool-started', call: bash, title: 'Bash npm test' };
    yield { type: 'tool-ended', call: bash, outcome: { content: [{ type: 'text', text }], isError: true } };
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('asks first');
  screen.enter('go');
  await shows('line-39');
  await shows('… 35 more lines (ctrl+o)');
  await shows('Exit code 1');
  await shows('deep/a.ts');
  expect(screen.text()).not.toContain('/tmp/deep');
});

it('gives the id of the session that was left, if something was said in it', async () => {
  const silent = stage(simple);
  await silent.shows('asks first');
  silent.screen.type('\u0004');
  expect(await silent.ended).toBeUndefined();
  const { screen, shows, ended } = stage(simple, { head: 'r9' });
  await shows('asks first');
  screen.type('\u0004');
  expect(await ended).toBe('s');
});

it('denies with words, and keeps the draft', async () => {
  const { screen, clock, shows, hides } = stage(asking);
  await shows('asks first');
  screen.enter('go');
  await shows('May this run?');
  screen.type(...'my draft');
  clock.advance(400);
  screen.type('3');
  clock.advance(100);
  await shows('What should be done instead?');
  await hides('my draft');
  screen.enter('use b.ts');
  await shows('answered: {"type":"deny","words":"use b.ts"}');
  expect(screen.text()).toContain('my draft');
});

it('allows for the session', async () => {
  const { screen, clock, shows } = stage(asking);
  await shows('asks first');
  screen.enter('go');
  await shows('for this session: Edit(a.ts)');
  clock.advance(400);
  screen.type('2');
  clock.advance(100);
  await shows('answered: {"type":"session"}');
});

it('passes words on that are typed while it works, and shows them', async () => {
  let go = (): void => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      go = resolve;
    });
  let turns = 0;
  const { screen, clock, shows, steered, seen, interrupted, kept } = stage(async function* () {
    if (++turns > 1) return yield { type: 'turn-ended', result: turn() };
    yield { type: 'response-started', usage };
    await pause();
    yield { type: 'tool-ended', call: edit, outcome: { content: [] } };
    yield { type: 'attachment-injected', kind: 'queued_commands', title: 'your words' };
    yield { type: 'request-started', plan: {} as RequestPlan };
    await pause();
    yield { type: 'turn-ended', result: turn({ reason: 'interrupted' }) };
  });
  await shows('asks first');
  screen.enter('go');
  await shows('answering');
  clock.advance(65_000);
  await shows('1m 05s · ↑ 19.5k ↓ 0 tokens');
  screen.enter('and tests');
  await shows('⧗ and tests');
  go();
  await shows('› and tests');
  expect(steered).toEqual(['and tests']);
  await shows('waiting for the model');
  screen.enter('too late');
  screen.type('\u001b');
  expect(interrupted).toHaveLength(1);
  go();
  await shows('! interrupted');
  await shows('› too late');
  expect(seen).toHaveLength(2);
  expect(kept).toEqual(['go', 'and tests', 'too late']);
});

it('runs a command of the person, and tells the model with the next words', async () => {
  const { screen, shows, seen } = stage(simple);
  await shows('asks first');
  screen.enter('!echo from-shell');
  await shows('  from-shell');
  screen.enter('what was that');
  await shows('10% of');
  expect(seen).toEqual([
    {
      content: [
        { type: 'text', text: 'I ran `echo from-shell` myself (exit 0). Its output:\nfrom-shell' },
        { type: 'text', text: 'what was that' },
      ],
    },
  ]);
});

it('brings back what was typed before, changes the mode, and refuses unknown commands', async () => {
  const { screen, shows } = stage(simple);
  await shows('asks first');
  screen.type('\u001b[A');
  await shows('older words');
  screen.type('\u0003');
  await shows('ctrl+c again to exit');
  screen.type('\u001b[Z');
  screen.enter('/hepl ');
  await shows('unknown command /hepl: did you mean /help?');
});

it('completes a path behind an @, quoted where it has spaces', async () => {
  const { screen, shows } = stage(simple);
  await shows('asks first');
  screen.type(...'look at @spl');
  await shows('→ src/split.js');
  screen.type('\t');
  await shows('look at @src/split.js');
  screen.type(...'and @b.');
  await shows('→ src/a b.js');
  screen.type('\t');
  await shows('@src/split.js and @"src/a b.js"');
});

it.each([
  ['ctrl+c twice', ['\u0003', '\u0003']],
  ['ctrl+d', ['\u0004']],
])('leaves on %s', async (_name, keys) => {
  const { screen, shows, ended } = stage(simple);
  await shows('asks first');
  screen.type(...keys);
  await ended;
});

it('news from the background opens a turn while nothing runs, and waits while something does', async () => {
  const { shows, hides, wakes, screen } = stage(async function* () {
    wakes(
      (async function* () {
        yield answer('The build is done.');
        yield { type: 'turn-ended', result: turn() };
      })(),
    );
    await hides('The build is done.');
    yield answer('First this.');
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('test-model');
  screen.enter('go');
  await shows('The build is done.');
  expect(screen.text().indexOf('First this.')).toBeLessThan(screen.text().indexOf('The build is done.'));
});
