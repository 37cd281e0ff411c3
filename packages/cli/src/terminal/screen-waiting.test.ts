/** Words typed while the agent works: stored, shown, told, taken back. */
import type { RequestPlan } from '@sidenote/engine';
import { expect, it, vi } from 'vitest';
import { edit, simple, stage, turn, usage } from './stage.testing.js';

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
