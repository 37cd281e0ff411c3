/** The question whether a call may run: shown above the editor, with the draft left as it is. */
import type { Ask, PermissionAnswer, PermissionRequest } from '@sidenote/agent';
import { inside } from '../inside.js';
import { clean } from './clean.js';
import type { ScreenClock } from './clock.js';
import { editPreview } from './diff-lines.js';
import { guard, type Guard } from './permission-guard.js';
import type { Theme } from './theme.js';
import { cutLine, type Key, type View } from './view.js';

/** Lines of a command or of each side of a change that are shown at first. */
const MOST = 10;

type Choice = 'once' | 'session' | 'deny';
type Open = {
  readonly request: PermissionRequest;
  readonly guard: Guard<Choice>;
  readonly settle: (answer: PermissionAnswer) => void;
  /** The draft that waits while words to the model are typed. */
  draft?: string;
};
const CHOICES: Readonly<Record<string, Choice>> = { '1': 'once', '2': 'session', '3': 'deny' };
const TYPED: Readonly<Record<Choice, string>> = { once: '1', session: '2', deny: '3' };

export type PermissionDialog = {
  readonly ask: Ask;
  readonly open: boolean;
  lines(width: number): readonly string[];
  /** True: the key was for the dialog. */
  key(key: Key): boolean;
  /** True: the submitted words were for the dialog. */
  submit(words: string): boolean;
};

/** Several questions at once wait for one another. */
export function permissionDialog(options: {
  readonly view: () => View;
  readonly theme: Theme;
  readonly clock: ScreenClock;
  /** The working directory: paths inside it are shown without it. */
  readonly cwd: string;
  /** Show all of a long command or change. */
  readonly expanded: () => boolean;
}): PermissionDialog {
  const { theme, clock } = options;
  let current: Open | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let typedAt = Number.NEGATIVE_INFINITY;

  const show = (request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve({ type: 'deny' });
      const settle = (answer: PermissionAnswer): void => {
        signal.removeEventListener('abort', abort);
        current?.guard.end();
        if (current?.draft !== undefined) options.view().draft = current.draft;
        current = undefined;
        options.view().refresh();
        resolve(answer);
      };
      const abort = (): void => settle({ type: 'deny' });
      signal.addEventListener('abort', abort, { once: true });
      const decide = (choice: Choice): void => {
        if (choice === 'deny') {
          if (current !== undefined) current.draft = options.view().draft;
          options.view().draft = '';
        } else if (choice === 'once' || request.rules.length > 0) settle({ type: choice });
        options.view().refresh();
      };
      const type = (choice: Choice): void => {
        options.view().draft += TYPED[choice];
      };
      current = { request, settle, guard: guard<Choice>({ clock, typedAt, decide, type }) };
      options.view().refresh();
    });

  return {
    ask(request, signal) {
      const answer = queue.then(() => show(request, signal));
      queue = answer.catch(() => {});
      return answer;
    },
    get open() {
      return current !== undefined;
    },
    lines: (width) => (current === undefined ? [] : dialogLines(current, { width, theme, cwd: options.cwd, expanded: options.expanded() })),
    key({ name }) {
      if (current === undefined) {
        typedAt = clock.now();
        return false;
      }
      // While words to the model are typed, the editor has all keys; escape denies without words.
      if (current.draft !== undefined) {
        if (name !== 'escape') return false;
        current.settle({ type: 'deny' });
        return true;
      }
      typedAt = clock.now();
      return current.guard.press(name === undefined ? undefined : CHOICES[name]);
    },
    submit(words) {
      if (current?.draft === undefined) return false;
      current.settle(words.trim() === '' ? { type: 'deny' } : { type: 'deny', words: words.trim() });
      return true;
    },
  };
}

type Shown = { readonly width: number; readonly theme: Theme; readonly cwd: string; readonly expanded: boolean };

/** What is asked for is never cut within a line: a person who says yes has to see it. */
function dialogLines({ request, draft }: Open, { width, theme, cwd, expanded }: Shown): readonly string[] {
  const line = (text: string): string => cutLine(text, width);
  const most = expanded ? Number.POSITIVE_INFINITY : MOST;
  const [first = '', ...rest] = clean(request.title).split('\n');
  const more = rest.slice(0, most).map((part) => `  ${part}`);
  if (rest.length > most) more.push(theme.dim(`  … ${rest.length - most} more lines`));
  const preview = editPreview(request.call.input, { theme, most });
  const isCut = rest.length > most || preview.length < editPreview(request.call.input, { theme, most: Number.POSITIVE_INFINITY }).length;
  const head = [
    theme.warn('─'.repeat(Math.max(0, width))),
    theme.bold(`May this run? ${first}`),
    ...more,
    theme.dim(clean(inside(request.why, cwd))),
    ...preview,
    ...(isCut ? [line(theme.dim('ctrl+o shows all of it'))] : []),
  ];
  if (draft !== undefined) return [...head, line(theme.accent('What should be done instead? (enter: say it · empty or esc: just no)'))];
  return [
    ...head,
    line(` ${theme.accent('1')} yes, once`),
    request.rules.length === 0
      ? line(theme.dim(' 2 (can not be remembered)'))
      : ` ${theme.accent('2')} yes, and for this session: ${clean(inside(request.rules.join(', '), cwd))}`,
    line(` ${theme.accent('3')} no, and say what to do instead`),
    line(theme.dim(' esc: no, and stop here')),
  ];
}
