import { expect, it, vi } from 'vitest';
import { choiceContent } from './choice-content.js';
import { createDialog } from './dialog.js';
import { ALONE, REST } from './key-guard.js';
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
  const view: View = createView({ screen, theme, cwd: '/', commands: async () => [], submit: () => {}, key: (key) => dialog.key(key) });
  const dialog = createDialog({ view, theme, clock });
  const choose = (asked = question) => dialog.ask(choiceContent(asked, theme), ending.signal);
  view.above((width) => dialog.lines(width));
  view.start();
  return {
    clock,
    screen,
    view,
    dialog,
    choose,
    ending,
    shows: (words: string) => vi.waitFor(() => expect(screen.text()).toContain(words)),
  };
}

it('shows what is asked, and takes a key that stood alone for the answer', async () => {
  const { clock, screen, dialog, choose, shows } = stage();
  const answer = choose();
  await shows('hooks in .sidenote/settings.json');
  clock.advance(REST);
  screen.type('2');
  clock.advance(ALONE);
  expect(await answer).toBe('no');
  expect(dialog.lines(60)).toEqual([]);
});

it('takes no word that is being typed for an answer', async () => {
  const { clock, screen, dialog, choose, view, shows } = stage();
  const answer = choose();
  await shows('Do you trust');
  screen.type('1', '0');
  clock.advance(REST + ALONE);
  expect(view.draft).toBe('10');
  screen.type('\u001b');
  await vi.waitFor(() => expect(dialog.lines(60)).toEqual([]));
  expect(await answer).toBeUndefined();
});

it('stays unanswered when the session ends', async () => {
  const { choose, ending } = stage();
  const answer = choose();
  ending.abort();
  expect(await answer).toBeUndefined();
  expect(await choose()).toBeUndefined();
});

it('puts one question after the other, of whatever kind, and gives the draft back', async () => {
  const { clock, screen, dialog, choose, view, ending, shows } = stage();
  const first = choose();
  const second = dialog.ask<string>(
    {
      lines: () => ['and this?'],
      choices: [{ type: 'words', label: 'no', asks: 'What instead?' }],
      refuse: (words = 'just no') => words,
      escape: 'no',
    },
    ending.signal,
  );
  screen.type(...'draft');
  await shows('Do you trust');
  expect(screen.text()).not.toContain('and this?');
  clock.advance(REST);
  screen.type('1');
  clock.advance(ALONE);
  expect(await first).toBe('yes');
  await shows('and this?');
  clock.advance(REST);
  screen.type('1');
  clock.advance(ALONE);
  await shows('What instead?');
  expect(view.draft).toBe('');
  screen.type(...'later');
  expect(dialog.submit(view.draft)).toBe(true);
  expect(await second).toBe('later');
  expect(view.draft).toBe('draft');
});

it('takes a key for no other question than the one it was pressed at', async () => {
  const { clock, screen, dialog, shows } = stage();
  const [first, second] = [new AbortController(), new AbortController()];
  const ask = (title: string, { signal }: AbortController) => dialog.ask(choiceContent({ ...question, title }, themeOf({})), signal);
  const answers = [ask('First?', first), ask('Second?', second)];
  await shows('First?');
  clock.advance(REST);
  screen.type('1');
  first.abort();
  expect(await answers[0]).toBeUndefined();
  await shows('Second?');
  clock.advance(ALONE);
  expect(dialog.open).toBe(true);
  second.abort();
  expect(await answers[1]).toBeUndefined();
});
