/** Questions to the person: one at a time, above the editor, answered by the keys 1 to 9; the draft is left as it is. */
import type { ScreenClock } from './clock.js';
import { guard, type Guard } from './key-guard.js';
import { behind } from './blocks.js';
import type { Theme } from './theme.js';
import { wrapLine, type Key, type View } from './view.js';

/** What is asked, and which answers there are. */
export type DialogContent<Answer> = {
  /** What the person decides on. A longer line is wrapped: who says yes has to see all of it. */
  lines(): readonly string[];
  /** The first one has the key 1. */
  readonly choices: readonly Choice<Answer>[];
  /** The answer without any choice, and that of a choice of type `words`. */
  refuse(words?: string): Answer;
  /** What escape does, as it is shown. */
  readonly escape: string;
};

export type Choice<Answer> = { readonly label: string } & (
  | { readonly type: 'answer'; readonly answer: Answer }
  /** Refuses, with words that are typed first. `asks`: which words. */
  | { readonly type: 'words'; readonly asks: string }
  /** The question stays. */
  | { readonly type: 'act'; act(): Promise<void> }
  | { readonly type: 'unavailable' }
);

type Open = {
  readonly guard: Guard<number>;
  refuse(words?: string): void;
  lines(width: number): readonly string[];
  /** While words are typed: what is asked for, and the draft that waits. */
  typing?: { readonly asks: string; readonly draft: string };
};

export type Dialog = {
  /** Several questions wait for one another. A signal that aborts is a refusal. */
  ask<Answer>(content: DialogContent<Answer>, signal: AbortSignal): Promise<Answer>;
  readonly open: boolean;
  lines(width: number): readonly string[];
  /** True: the key was for the dialog. Wants every key, so that it knows when the last one was typed. */
  key(key: Key): boolean;
  /** True: the submitted words were for the dialog. */
  submit(words: string): boolean;
};

export function createDialog({ view, theme, clock }: { readonly view: View; readonly theme: Theme; readonly clock: ScreenClock }): Dialog {
  let current: Open | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let typedAt = Number.NEGATIVE_INFINITY;

  const show = <Answer>(content: DialogContent<Answer>, signal: AbortSignal): Promise<Answer> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(content.refuse());
      const settle = (answer: Answer): void => {
        signal.removeEventListener('abort', abort);
        open.guard.end();
        if (open.typing !== undefined) view.draft = open.typing.draft;
        current = undefined;
        view.refresh();
        resolve(answer);
      };
      const abort = (): void => settle(content.refuse());
      const decide = (at: number): void => {
        const choice = content.choices[at];
        if (choice?.type === 'answer') settle(choice.answer);
        else if (choice?.type === 'act') void choice.act().then(() => view.refresh());
        else if (choice?.type === 'words') {
          open.typing = { asks: choice.asks, draft: view.draft };
          view.draft = '';
        }
        view.refresh();
      };
      const open: Open = {
        guard: guard<number>({ clock, typedAt, decide, type: (at) => void (view.draft += `${at + 1}`) }),
        refuse: (words) => settle(content.refuse(words)),
        lines: (width) => [
          theme.warn('─'.repeat(Math.max(0, width))),
          ...content.lines().flatMap((line) => hanging(line, width)),
          ...(open.typing === undefined
            ? [...content.choices.flatMap((choice, at) => choiceLines(choice, at, { theme, width })), theme.dim(` esc: ${content.escape}`)]
            : [theme.accent(`${open.typing.asks} (enter: say it · empty or esc: just no)`)]),
        ],
      };
      signal.addEventListener('abort', abort, { once: true });
      current = open;
      view.refresh();
    });

  return {
    ask(content, signal) {
      const answer = queue.then(() => show(content, signal));
      queue = answer.catch(() => {});
      return answer;
    },
    get open() {
      return current !== undefined;
    },
    lines: (width) => current?.lines(width) ?? [],
    key({ name }) {
      if (current !== undefined && name === 'escape') {
        current.refuse();
        return true;
      }
      // While words are typed, the editor has all other keys.
      if (current?.typing !== undefined) return false;
      typedAt = clock.now();
      return current?.guard.press(/^[1-9]$/.test(name ?? '') ? Number(name) - 1 : undefined) ?? false;
    },
    submit(words) {
      if (current?.typing === undefined) return false;
      current.refuse(words === '' ? undefined : words);
      return true;
    },
  };
}

/** Wrapped, with its indent before all of its rows. */
function hanging(line: string, width: number): string[] {
  const [indent = ''] = /^ {0,8}/.exec(line) ?? [];
  return behind(indent, line.slice(indent.length), width);
}

function choiceLines(
  { type, label }: Choice<unknown>,
  at: number,
  { theme, width }: { readonly theme: Theme; readonly width: number },
): string[] {
  const [first = '', ...rest] = wrapLine(label, Math.max(1, width - 3));
  const key = `${at + 1}`;
  return type === 'unavailable'
    ? [` ${key} ${first}`, ...rest.map((row) => `   ${row}`)].map(theme.dim)
    : [` ${theme.accent(key)} ${first}`, ...rest.map((row) => `   ${row}`)];
}
