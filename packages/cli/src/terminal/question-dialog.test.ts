import { expect, it, vi } from 'vitest';
import { REST, ALONE } from './permission-guard.js';
import { questionDialog } from './question-dialog.js';
import { TestClock, TestScreen } from './screen.testing.js';
import { themeOf } from './theme.js';
import { createView, type View } from './view.js';

const question = {
  title: 'Do you trust this folder?',
  details: ['hooks in .sidenote/settings.json'],
  choices: [
    { label: 'yes', answer: 'yes' },
    { label: 'no', answer: 'no' },
  ],
};

function stage() {
  const clock = new TestClock();
  const screen = new TestScreen(60, 20);
  const theme = themeOf({});
  const ending = new AbortController();
  const dialog = questionDialog({ view: () => view, theme, clock, signal: ending.signal });
  const view: View = createView({ screen, theme, cwd: '/', commands: async () => [], submit: () => {}, key: (key) => dialog.key(key) });
  view.above((width) => dialog.lines(width));
  view.start();
  return { clock, screen, view, dialog, ending, shows: (words: string) => vi.waitFor(() => expect(screen.text()).toContain(words)) };
}

it('shows what is asked, and takes a key that stood alone for the answer', async () => {
  const { clock, screen, dialog, shows } = stage();
  const answer = dialog.choose(question);
  await shows('hooks in .sidenote/settings.json');
  clock.advance(REST);
  screen.type('2');
  clock.advance(ALONE);
  expect(await answer).toBe('no');
  expect(dialog.lines(60)).toEqual([]);
});

it('takes no word that is being typed for an answer', async () => {
  const { clock, screen, dialog, view } = stage();
  const answer = dialog.choose(question);
  screen.type('1', '0');
  clock.advance(REST + ALONE);
  expect(view.draft).toBe('10');
  screen.type('\u001b');
  await vi.waitFor(() => expect(dialog.lines(60)).toEqual([]));
  expect(await answer).toBeUndefined();
});

it('stays unanswered when the session ends', async () => {
  const { dialog, ending } = stage();
  const answer = dialog.choose(question);
  ending.abort();
  expect(await answer).toBeUndefined();
  expect(await dialog.choose(question)).toBeUndefined();
});
