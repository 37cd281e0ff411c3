import { expect, it, vi } from 'vitest';
import type { ScreenClock } from '../terminal/clock.js';
import { TestScreen } from '../terminal/screen.testing.js';
import { themeOf } from '../terminal/theme.js';
import { screenStage } from './screen-stage.js';

/** Waits for nothing: each timer is due at once, and moves the time as far as it was set. */
function hastyClock(): ScreenClock {
  let now = 0;
  return {
    now: () => now,
    after(ms, tick) {
      const due = setImmediate(() => {
        now += ms;
        tick();
      });
      return () => clearImmediate(due);
    },
  };
}

it('plays typed words, a question with its answer, and output, and can be left', async () => {
  const screen = new TestScreen(80, 24);
  let left = false;
  const stage = screenStage({ screen, theme: themeOf({}), clock: hastyClock(), cwd: '/tmp', leave: () => (left = true) });
  const shows = (words: string) => vi.waitFor(() => expect(screen.text()).toContain(words));
  await stage.prompt('Change it, please.');
  await shows('› Change it, please.');
  const call = { id: 'c', name: 'Edit', input: { file_path: 'a.ts', old_string: 'one', new_string: 'two' } };
  expect(await stage.ask({ call, title: 'Edit a.ts', why: 'it writes', rules: [] }, new AbortController().signal)).toEqual({
    type: 'once',
  });
  const show = stage.turn(() => []);
  show({ type: 'tool-started', call, title: 'Edit a.ts' });
  show({ type: 'tool-ended', call, outcome: { content: [], display: { hunks: ['@@ -1 +1 @@\n-one\n+two\n'] } } });
  await shows('+two');
  stage.plain('what was sent');
  await shows('what was sent');
  screen.type('\u0003');
  expect(left).toBe(true);
  await stage.end();
});
