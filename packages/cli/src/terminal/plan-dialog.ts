/** The question whether a plan may be carried out: the plan above the editor, to be approved, edited, or sent back with words. */
import type { AskPlan, Mode, PlanAnswer, PlanQuestion } from '@sidenote/agent';
import { clean } from './clean.js';
import type { ScreenClock } from './clock.js';
import { guard, type Guard } from './permission-guard.js';
import { MODE_WORDS } from './status-lines.js';
import type { Theme } from './theme.js';
import { cutLine, type Key, type View } from './view.js';

/** Lines of a plan that are shown at first. */
const MOST = 20;

type Choice = 'freely' | 'asking' | 'edit' | 'reject';
const CHOICES: Readonly<Record<string, Choice>> = { '1': 'freely', '2': 'asking', '3': 'edit', '4': 'reject' };
const TYPED: Readonly<Record<Choice, string>> = { freely: '1', asking: '2', edit: '3', reject: '4' };

type Open = {
  readonly question: PlanQuestion;
  readonly guard: Guard<Choice>;
  readonly settle: (answer: PlanAnswer) => void;
  /** As it is now: the person may have edited it. */
  plan: string;
  /** The draft that waits while words to the model are typed. */
  draft?: string;
};

export type PlanDialog = {
  readonly ask: AskPlan;
  readonly open: boolean;
  lines(width: number): readonly string[];
  /** True: the key was for the dialog. */
  key(key: Key): boolean;
  /** True: the submitted words were for the dialog. */
  submit(words: string): boolean;
};

/** Several plans at once wait for one another. */
export function planDialog(options: {
  readonly view: () => View;
  readonly theme: Theme;
  readonly clock: ScreenClock;
  /** Show all of a long plan. */
  readonly expanded: () => boolean;
  /** Opens the plan in the person's editor; gives the text that is there afterwards. */
  edit(question: PlanQuestion): Promise<string>;
}): PlanDialog {
  const { theme, clock } = options;
  let current: Open | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let typedAt = Number.NEGATIVE_INFINITY;

  const show = (question: PlanQuestion, signal: AbortSignal): Promise<PlanAnswer> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve({ type: 'rejected' });
      const settle = (answer: PlanAnswer): void => {
        signal.removeEventListener('abort', abort);
        current?.guard.end();
        if (current?.draft !== undefined) options.view().draft = current.draft;
        current = undefined;
        options.view().refresh();
        resolve(answer);
      };
      const abort = (): void => settle({ type: 'rejected' });
      signal.addEventListener('abort', abort, { once: true });
      const edit = async (open: Open): Promise<void> => {
        open.plan = await options.edit(question);
        options.view().refresh();
      };
      const decide = (choice: Choice): void => {
        if (current === undefined) return;
        if (choice === 'freely') settle({ type: 'approved', mode: question.freely });
        else if (choice === 'asking') settle({ type: 'approved', mode: 'default' });
        else if (choice === 'edit') void edit(current);
        else {
          current.draft = options.view().draft;
          options.view().draft = '';
        }
        options.view().refresh();
      };
      const type = (choice: Choice): void => void (options.view().draft += TYPED[choice]);
      current = { question, settle, plan: question.plan, guard: guard<Choice>({ clock, typedAt, decide, type }) };
      options.view().refresh();
    });

  return {
    ask(question, signal) {
      const answer = queue.then(() => show(question, signal));
      queue = answer.catch(() => {});
      return answer;
    },
    get open() {
      return current !== undefined;
    },
    lines: (width) =>
      current === undefined ? [] : planLines(current, { theme, width, most: options.expanded() ? Number.POSITIVE_INFINITY : MOST }),
    key({ name }) {
      if (current === undefined) {
        typedAt = clock.now();
        return false;
      }
      // While words to the model are typed, the editor has all keys; escape rejects without words.
      if (name === 'escape') {
        current.settle({ type: 'rejected' });
        return true;
      }
      if (current.draft !== undefined) return false;
      typedAt = clock.now();
      return current.guard.press(name === undefined ? undefined : CHOICES[name]);
    },
    submit(words) {
      if (current?.draft === undefined) return false;
      current.settle(words.trim() === '' ? { type: 'rejected' } : { type: 'rejected', words: words.trim() });
      return true;
    },
  };
}

type Shown = { readonly theme: Theme; readonly width: number; readonly most: number };

function planLines({ question, plan, draft }: Open, { theme, width, most }: Shown): readonly string[] {
  const line = (text: string): string => cutLine(text, width);
  const all = clean(plan).trimEnd().split('\n');
  const head = [
    theme.warn('─'.repeat(Math.max(0, width))),
    theme.bold('Carry out this plan?'),
    theme.dim(clean(question.file)),
    ...all.slice(0, most).map((part) => `  ${part}`),
    ...(all.length > most ? [line(theme.dim(`  … ${all.length - most} more lines; ctrl+o shows all of it`))] : []),
  ];
  if (draft !== undefined) return [...head, line(theme.accent('What should be different? (enter: say it · empty or esc: just no)'))];
  const mode = (one: Mode): string => MODE_WORDS[one];
  return [
    ...head,
    line(` ${theme.accent('1')} yes: ${mode(question.freely)}`),
    line(` ${theme.accent('2')} yes: ${mode('default')}`),
    line(` ${theme.accent('3')} edit it first`),
    line(` ${theme.accent('4')} no, and say what should be different`),
    line(theme.dim(' esc: no, and stop here')),
  ];
}
