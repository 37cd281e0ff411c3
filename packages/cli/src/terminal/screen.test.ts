import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestPlan } from '@sidenote/engine';
import { expect, it, vi } from 'vitest';
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

it('stores words that are typed while it works, shows them, and shows them as said once they are told', async () => {
  let go = (): void => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      go = resolve;
    });
  let turns = 0;
  const { screen, clock, shows, hides, queue, seen, interrupted, kept } = stage(async function* () {
    if (++turns > 1) return yield { type: 'turn-ended', result: turn() };
    yield { type: 'response-started', usage };
    await pause();
    yield { type: 'tool-ended', call: edit, outcome: { content: [] } };
    queue.deliver();
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
  await shows('esc takes them back');
  expect(queue.steered).toEqual(['and tests']);
  go();
  await shows('› and tests');
  await hides('⧗');
  await shows('waiting for the model');
  screen.type('\u001b');
  expect(interrupted).toHaveLength(1);
  screen.enter('too late');
  await shows('⧗ too late');
  go();
  await shows('! interrupted');
  await shows('› too late');
  expect(seen).toMatchObject([{}, { content: [{ type: 'text', text: 'too late' }], steered: ['s2'] }]);
  expect(kept).toEqual(['go', 'and tests', 'too late']);
});

it('words of /plan wait like others while the agent works, and the mode changes at once', async () => {
  let go = (): void => {};
  const { screen, shows, seen, queue, interrupted } = stage(async function* () {
    yield { type: 'response-started', usage };
    await new Promise<void>((resolve) => (go = resolve));
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('asks first');
  screen.enter('go');
  await shows('answering');
  screen.enter('/plan SPLIT-ASH');
  await shows('⧗ SPLIT-ASH');
  await shows('plans only');
  expect(queue.steered).toEqual(['SPLIT-ASH']);
  screen.enter('and tests');
  await shows('⧗ and tests');
  expect(seen).toHaveLength(1);
  go();
  await vi.waitFor(() => expect(seen).toHaveLength(2));
  expect(JSON.stringify(seen[1])).toContain('SPLIT-ASH');
  await shows('answering');
  screen.type('\u001b');
  expect(interrupted).toHaveLength(1);
});

it('esc takes waiting words back into the editor, before it interrupts', async () => {
  const { screen, shows, hides, queue, interrupted } = stage(async function* () {
    yield { type: 'response-started', usage };
    await new Promise(() => {});
  });
  await shows('asks first');
  screen.enter('go');
  await shows('answering');
  screen.enter('use tabs');
  screen.enter('and tests');
  await shows('⧗ and tests');
  screen.type(...'draft', '\u001b');
  await hides('⧗');
  expect(interrupted).toEqual([]);
  expect(queue.thread.steered).toEqual([]);
  for (const line of ['use tabs', 'and tests', 'draft']) await shows(line);
  screen.type('\u001b');
  expect(interrupted).toHaveLength(1);
});

it('shows words that an earlier process has left waiting, and gives them back', async () => {
  const { screen, shows, hides } = stage(simple, { earlier: ['from before'] });
  await shows('⧗ from before');
  screen.type('\u001b');
  await hides('⧗');
  await shows('from before');
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
      own: ['what was that'],
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
  expect(screen.text()).not.toContain('spell');
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

it('what the end of a session tells is said when the screen is gone, which would not show it', async () => {
  const { screen, shows, ended, told } = stage(simple, { farewell: 'old sessions were removed' });
  await shows('test-model');
  screen.type('\u0004');
  await ended;
  expect(told).toEqual(['old sessions were removed']);
  expect(screen.text()).not.toContain('old sessions');
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

it('news that come while a command of the person runs are told when it has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'screen-news-'));
  const { shows, wakes, screen } = stage(simple);
  await shows('test-model');
  screen.enter(`!until [ -e ${folder}/go ]; do sleep 0.02; done`);
  await shows('! until');
  wakes(
    (async function* () {
      yield answer('The build is done.');
      yield { type: 'turn-ended', result: turn() };
    })(),
  );
  expect(screen.text()).not.toContain('The build is done.');
  await writeFile(join(folder, 'go'), '');
  await shows('The build is done.');
  await rm(folder, { recursive: true });
});

it('news that come while a command from a file is made ready are told when nothing comes of it', async () => {
  let refuse = (): void => {};
  const { shows, wakes, screen } = stage(simple, {
    commands: {
      list: async () => [],
      run: () => new Promise((resolve) => (refuse = () => resolve({ type: 'refused', text: 'nothing came of it' }))),
    },
  });
  await shows('test-model');
  screen.enter('/dig ');
  await shows('/dig');
  wakes(
    (async function* () {
      yield answer('The build is done.');
      yield { type: 'turn-ended', result: turn() };
    })(),
  );
  expect(screen.text()).not.toContain('The build is done.');
  refuse();
  await shows('The build is done.');
});

it('sends what a command from a file stands for, and says why one can’t be used', async () => {
  const { screen, shows, seen } = stage(simple, {
    commands: {
      list: async () => [{ name: 'issue', summary: 'looks into an issue' }],
      run: async (name, args) => {
        if (name === 'issue') return { type: 'prompt', content: [{ type: 'text', text: `Look into ${args}.` }], own: ['own words'] };
        return name === 'broken' ? { type: 'refused', text: 'its command failed' } : undefined;
      },
    },
  });
  await shows('asks first');
  screen.enter('/broken ');
  await shows('its command failed');
  screen.enter('/isue ');
  await shows('did you mean /issue?');
  screen.enter('/issue 12 ');
  await vi.waitFor(() => expect(seen).toEqual([{ content: [{ type: 'text', text: 'Look into 12.' }], own: ['own words'] }]));
});

it('compacts when asked, says what is kept before and after it, and takes words typed meanwhile as a prompt', async () => {
  const asked: string[] = [];
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const survives = [{ type: 'attachment', name: 'project instructions: 1 file', tokens: 10, comes: 'again' }] as const;
  const { screen, shows } = stage(
    async function* (words) {
      asked.push(words);
      if (!words.startsWith('compact')) return yield { type: 'turn-ended', result: turn() };
      yield { type: 'compaction-started', trigger: 'manual', tokens: 150_000, survives };
      await finished;
      const sizes = { before: 150_000, after: 20_000, kept: 2, survives, usd: 0, usage };
      yield { type: 'compaction-ended', result: { trigger: 'manual', outcome: 'summarised', ...sizes } };
    },
    { columns: 200, rows: 50 },
  );
  await shows('asks first');
  screen.enter('/compact keep names');
  await shows('summarising the conversation (about 150,000 tokens). Not lost: project instructions: 1 file.');
  screen.enter('go on');
  finish();
  await shows('Compacted: about 150,000 tokens became 20,000. The newest 2 messages stay as they are.');
  await vi.waitFor(() => expect(asked).toEqual(['compact keep names', 'go on']));
  await shows('10% of 200k');
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
