import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { simple, stage, turn } from './stage.testing.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plan-content-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const question = () => ({ plan: '# Plan\n\nrename it', file: join(folder, 'plan.md'), freely: 'acceptEdits' as const });

for (const [columns, rows] of [
  [80, 24],
  [200, 50],
] as const) {
  it(`shows the plan at ${columns}x${rows}, and takes a yes in one of two modes`, async () => {
    const { screen, clock, shows, hides, askPlan } = stage(simple, { columns, rows, env: { NO_COLOR: '1' } });
    await shows('asks first');
    const answers = [askPlan(question(), new AbortController().signal), askPlan(question(), new AbortController().signal)];
    await shows('Carry out this plan?');
    expect(screen.text()).toContain('rename it');
    expect(screen.text()).toContain('1 yes: edits freely');
    clock.advance(400);
    screen.type('1');
    clock.advance(100);
    expect(await answers[0]).toEqual({ type: 'approved', mode: 'acceptEdits' });
    await shows('2 yes: asks first');
    clock.advance(400);
    screen.type('2');
    clock.advance(100);
    expect(await answers[1]).toEqual({ type: 'approved', mode: 'default' });
    await hides('Carry out this plan?');
  });
}

it('keeps the indent of lines and answers that are wrapped', async () => {
  const { screen, shows, askPlan } = stage(simple, { columns: 30, rows: 24, env: { NO_COLOR: '1' } });
  await shows('asks first');
  void askPlan({ ...question(), plan: 'rename it in all files of all packages' }, new AbortController().signal);
  await shows('4 no, and say');
  expect(screen.text()).toMatch(/^ {2}rename it in all files of *\n {2}all packages *$/m);
  expect(screen.text()).toMatch(/^ 4 no, and say what should be *\n {3}different *$/m);
});

it('lets the plan be edited, shows what it is then, and sends it back with words; the draft stays', async () => {
  const { screen, clock, shows, askPlan } = stage(simple, {
    edit: async (path) => {
      await writeFile(path, '# Plan\n\nrename both\n');
      return undefined;
    },
  });
  await shows('asks first');
  screen.type(...'half a thought');
  const answer = askPlan(question(), new AbortController().signal);
  await shows('Carry out this plan?');
  clock.advance(400);
  screen.type('3');
  clock.advance(100);
  await shows('rename both');
  clock.advance(400);
  screen.type('4');
  clock.advance(100);
  await shows('What should be different?');
  screen.enter('keep the old name');
  expect(await answer).toEqual({ type: 'rejected', words: 'keep the old name' });
  await shows('half a thought');
});

it('is rejected by escape, which stops the turn, and by a turn that ends', async () => {
  const { screen, shows, hides, askPlan } = stage(simple);
  await shows('asks first');
  const first = askPlan(question(), new AbortController().signal);
  await shows('Carry out this plan?');
  screen.type('\u001b');
  expect(await first).toEqual({ type: 'rejected' });
  const ending = new AbortController();
  const second = askPlan(question(), ending.signal);
  await shows('Carry out this plan?');
  ending.abort();
  expect(await second).toEqual({ type: 'rejected' });
  await hides('Carry out this plan?');
});

it('obeys no escape sequence of a plan, and shows a long one in part until all is asked for', async () => {
  const { screen, shows, askPlan } = stage(simple, { columns: 80, rows: 80 });
  await shows('asks first');
  const plan = `\u001b[2J${Array.from({ length: 30 }, (_, at) => `step-${at + 1}.`).join('\n')}`;
  void askPlan({ ...question(), plan }, new AbortController().signal);
  await shows('… 10 more lines; ctrl+o shows all of it');
  expect(screen.text()).not.toContain('step-30.');
  screen.type('\u000f');
  await shows('step-30.');
});

it('shift+tab goes through the modes, one for each press however fast', async () => {
  const { screen, shows } = stage(simple);
  await shows('asks first');
  screen.type('\u001b[Z', '\u001b[Z');
  await shows('plans only');
  screen.type('\u001b[Z');
  await shows('decides itself');
  screen.type('\u001b[Z');
  await shows('asks first');
});

it('says that it waits for the person while a plan is asked about, whatever tool asks', async () => {
  let answered = (): void => {};
  const { screen, shows, hides, askPlan } = stage(async function* () {
    yield { type: 'tool-started', call: { id: 'p1', name: 'ExitPlanMode', input: {} }, title: 'ExitPlanMode' };
    await new Promise<void>((resolve) => (answered = resolve));
    yield { type: 'turn-ended', result: turn() };
  });
  await shows('asks first');
  screen.enter('go');
  await shows('running ExitPlanMode');
  const asked = askPlan(question(), new AbortController().signal);
  await shows('waiting for your answer');
  expect(screen.text()).not.toContain('running ExitPlanMode');
  screen.type('\u001b');
  await asked;
  await hides('waiting for your answer');
  answered();
});
