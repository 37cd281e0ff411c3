/** What the screen shows of a turn, at several sizes and with hostile text. */
import { expect, it, vi } from 'vitest';
import type { ChainRecord } from '@sidenote/engine';
import { answer, edit, record, simple, stage, turn, usage } from './stage.testing.js';

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
    '◇ project instructions: 2 files · git snapshot',
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

it('stands, and takes keys, while what was typed before is still being read', async () => {
  const { screen, shows, seen } = stage(simple, {
    history: async (drawn) => {
      await vi.waitFor(() => expect(drawn.text()).toContain('opening…'));
      drawn.enter('change it');
      return ['older words'];
    },
  });
  await shows('10% of 200k');
  expect(seen).toHaveLength(1);
  screen.type('\u001b[A', '\u001b[A');
  await shows('older words');
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

it('shows of a session that is taken up what the person typed, and not what the client said for a hook', async () => {
  const said = (text: string, origin: string): ChainRecord =>
    ({ id: text, type: 'user', origin, content: [{ type: 'text', text }] }) as unknown as ChainRecord;
  const { screen, shows } = stage(simple, { window: [said('typed before', 'human'), said('go on, please', 'hook'), record] });
  await shows('project instructions: 2 files');
  expect(screen.text()).toContain('› typed before');
  expect(screen.text()).not.toContain('go on, please');
});

it('states no cost for a model without a price, also before anything was asked', async () => {
  const { shows } = stage(simple, { price: null });
  await shows('asks first · test-model · 0% of 200k · no price · ~/project');
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

it.each([
  ['one endless word', 'p'.repeat(300_000), '…'],
  ['many lines', 'line\n'.repeat(20_000), '… 19970 more lines (ctrl+o)'],
])('takes a paste of %s, shows the beginning, and stays quick', async (_name, words, shown) => {
  const { screen, shows } = stage(simple, { columns: 80, rows: 60 });
  await shows('asks first');
  screen.type(`\u001b[200~${words}\u001b[201~`);
  await shows('[paste #1');
  screen.enter('');
  await shows('10% of');
  expect(screen.text()).toContain(shown);
  expect(screen.text()).toContain('I change one line.');
});

it('keeps the mark beside every line of a text that was injected, on a narrow screen too', async () => {
  const { screen, shows } = stage(simple, { window: [record], columns: 12, rows: 40 });
  await shows('asks first');
  screen.enter('go');
  await shows('I change');
  screen.type('\u000f');
  await shows('  │ Never\n  │ spaces.');
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

it.each([
  [80, 24],
  [200, 50],
])('shows the open todo list and waiting words above the editor, at %sx%s', async (columns, rows) => {
  const items = Array.from({ length: 9 }, (_, at) => ({ content: `step ${at}`, status: 'pending' as const, activeForm: '' }));
  const todos = [
    { content: 'read', status: 'completed' as const, activeForm: 'reading' },
    ...items,
    { content: 'mend', status: 'in_progress' as const, activeForm: `mending \u001b[31m${'x'.repeat(250)}` },
  ];
  const { screen, shows } = stage(
    async function* () {
      yield { type: 'response-started', usage };
      await new Promise(() => {});
    },
    { todos, columns, rows },
  );
  await shows('asks first');
  screen.enter('go');
  await shows('answering');
  for (let count = 0; count < 7; count++) screen.enter(`words ${count}`);
  await shows('⧗ and 2 more');
  const lines = screen.text().split('\n');
  const from = lines.findIndex((line) => line.startsWith('⧗ words 0'));
  const shown = lines.slice(from, from + 17).map((line) => line.trimEnd());
  expect(shown.slice(0, 7)).toEqual([...[0, 1, 2, 3, 4].map((at) => `⧗ words ${at}`), '⧗ and 2 more', '  esc takes them back']);
  expect(shown[7]).toBe(`▸ mending ${'x'.repeat(columns - 11)}…`);
  expect(shown.slice(8, 16)).toEqual([...[0, 1, 2, 3, 4, 5, 6].map((at) => `▫ step ${at}`), '  1 of 11 done · 2 more']);
  expect(shown[16]).toMatch(/^. answering/);
});

it('says between turns what is open, and nothing when all is done', async () => {
  const todo = { content: 'mend \u001b[31mit', status: 'pending' as const, activeForm: '' };
  const task = { id: 'bash-1', title: 'command sleep 60', state: 'running' as const, output: '' };
  const open = stage(simple, { todos: [{ ...todo, status: 'completed' }, todo], tasks: [task, { ...task, state: 'done' }] });
  await open.shows('1 in the background (/tasks) · 1 of 2 todos done, next: mend it');
  const done = stage(simple, { todos: [{ ...todo, status: 'completed' }], tasks: [{ ...task, state: 'done' }] });
  await done.shows('asks first');
  expect(done.screen.text()).not.toMatch(/todos|background/);
});

it.each([
  [80, 24, { NO_COLOR: '1' }],
  [200, 50, { SIDENOTE_THEME: 'light' }],
] as const)(
  'draws a companion at the end of the status line at %ix%i, and not where there is no room for it',
  async (columns, rows, env) => {
    const { screen, shows, hides } = stage(simple, { columns, rows, env, companion: { name: 'Pip', figure: '(o_o)' } });
    await shows('asks first · test-model');
    await shows('(o_o) Pip');
    const line = screen
      .text()
      .split('\n')
      .findLast((row) => row.includes('(o_o) Pip'));
    expect(line?.trimEnd()).toHaveLength(columns);
    expect(line).toContain('~/project');
    if ('NO_COLOR' in env) expect(screen.raw).not.toMatch(/\u001b\[(3[0-7]|9[0-7]|38)(;\d+)*m/);
    else expect(screen.raw).toContain('\u001b[34m(o_o) Pip');
    screen.resize(50, rows);
    await hides('(o_o) Pip');
  },
);
