/** A question with a few answers, shown above the editor before a session is opened. */
import type { Choose, Question } from '../assemble/first-questions.js';
import { clean } from './clean.js';
import type { ScreenClock } from './clock.js';
import { guard, type Guard } from './permission-guard.js';
import type { Theme } from './theme.js';
import { cutLine, type Key, type View } from './view.js';

/** Lines of details that are shown. */
const MOST = 12;

type Open = { readonly question: Question; readonly guard: Guard<number>; settle(answer: string | undefined): void };

export type QuestionDialog = {
  readonly choose: Choose;
  lines(width: number): readonly string[];
  /** True: the key was for the question. */
  key(key: Key): boolean;
};

/** One question at a time; escape, or the end of the session, leaves it unanswered. */
export function questionDialog(options: {
  readonly view: () => View;
  readonly theme: Theme;
  readonly clock: ScreenClock;
  readonly signal: AbortSignal;
}): QuestionDialog {
  const { theme, clock, signal } = options;
  let current: Open | undefined;
  return {
    choose: (question) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const settle = (answer: string | undefined): void => {
          signal.removeEventListener('abort', leave);
          current?.guard.end();
          current = undefined;
          options.view().refresh();
          resolve(answer);
        };
        const leave = (): void => settle(undefined);
        signal.addEventListener('abort', leave, { once: true });
        current = {
          question,
          settle,
          guard: guard<number>({
            clock,
            typedAt: clock.now(),
            decide: (at) => settle(question.choices[at]?.answer),
            type: (at) => void (options.view().draft += `${at + 1}`),
          }),
        };
        options.view().refresh();
      }),
    lines: (width) => (current === undefined ? [] : questionLines(current.question, theme, width)),
    key({ name }) {
      if (current === undefined) return false;
      if (name === 'escape') {
        current.settle(undefined);
        return true;
      }
      const at = Number(name) - 1;
      return current.guard.press(current.question.choices[at] === undefined ? undefined : at);
    },
  };
}

function questionLines({ title, details, choices }: Question, theme: Theme, width: number): readonly string[] {
  const more = details.length - MOST;
  return [
    theme.warn('─'.repeat(Math.max(0, width))),
    theme.bold(clean(title)),
    ...details.slice(0, MOST).map((line) => theme.dim(`  ${clean(line)}`)),
    ...(more > 0 ? [theme.dim(`  … ${more} more`)] : []),
    ...choices.map(({ label }, at) => cutLine(` ${theme.accent(`${at + 1}`)} ${label}`, width)),
    cutLine(theme.dim(' esc: not now, ask again next time'), width),
  ];
}
