/** A question with a few answers that is put before a session is opened. */
import type { Question } from '../assemble/first-questions.js';
import { clean } from './clean.js';
import type { DialogContent } from './dialog.js';
import type { Theme } from './theme.js';

/** Lines of details that are shown. */
const MOST = 12;

/** Undefined: left unanswered. */
export function choiceContent({ title, details, choices }: Question, theme: Theme): DialogContent<string | undefined> {
  const more = details.length - MOST;
  return {
    lines: () => [
      theme.bold(clean(title)),
      ...details.slice(0, MOST).map((line) => theme.dim(`  ${clean(line)}`)),
      ...(more > 0 ? [theme.dim(`  … ${more} more`)] : []),
    ],
    choices: choices.map(({ label, answer }) => ({ type: 'answer', label, answer })),
    refuse: () => undefined,
    escape: 'not now, ask again next time',
  };
}
