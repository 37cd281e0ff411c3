/** The todo list above the editor while the agent works: what is in hand, what comes next, how much is done. */
import type { Todo } from '@sidenote/engine';
import { clean } from './clean.js';
import type { Theme } from './theme.js';
import { cutLine } from './view.js';

/** Items that are shown. */
const MOST = 8;

/** Nothing for a list in which nothing is open. */
export function todoStrip(todos: readonly Todo[], width: number, theme: Theme): string[] {
  const open = todos.filter(({ status }) => status !== 'completed');
  if (open.length === 0) return [];
  const first = open.filter(({ status }) => status === 'in_progress');
  const next = open.filter(({ status }) => status === 'pending');
  const shown = [...first, ...next].slice(0, MOST);
  const counts = [`${todos.length - open.length} of ${todos.length} done`, open.length > MOST ? `${open.length - MOST} more` : ''];
  return [
    ...shown.map(({ content, status, activeForm }) =>
      status === 'in_progress' ? cutLine(theme.accent(`▸ ${oneLine(activeForm)}`), width) : cutLine(`▫ ${oneLine(content)}`, width),
    ),
    theme.dim(cutLine(`  ${counts.filter((part) => part !== '').join(' · ')}`, width)),
  ];
}

const oneLine = (text: string): string => clean(text).replaceAll(/\s+/g, ' ');
