/** What is still open between turns, in one line above the editor: todos, and work in the background. */
import type { Todo } from '@sidenote/engine';
import { clean } from './clean.js';
import type { Theme } from './theme.js';
import { cutLine } from './view.js';

export type Resting = {
  readonly todos: readonly Todo[];
  /** How many commands, monitors and agents run beside the conversation. */
  readonly running: number;
};

/** None when nothing is open. */
export function restingLines({ todos, running }: Resting, width: number, theme: Theme): string[] {
  const open = todos.filter(({ status }) => status !== 'completed');
  const next = open.find(({ status }) => status === 'in_progress') ?? open[0];
  const parts = [
    ...(next === undefined
      ? []
      : [`${todos.length - open.length} of ${todos.length} todos done, next: ${clean(next.content).replaceAll(/\s+/g, ' ')}`]),
    ...(running === 0 ? [] : [`${running} in the background (/tasks)`]),
  ];
  return parts.length === 0 ? [] : [theme.dim(cutLine(parts.toReversed().join(' · '), width))];
}
