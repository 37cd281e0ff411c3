/** What can be typed beside a prompt: shell commands, slash commands, paths, and the ways out. */
import { expect, it, vi } from 'vitest';
import { simple, stage, turn, usage } from './stage.testing.js';

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
