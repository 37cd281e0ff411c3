/** Words that wait for the next message, one line each above the editor. */
import { clean } from './clean.js';
import type { Theme } from './theme.js';
import { cutLine } from './view.js';

const MOST = 5;

export function queueLines(waiting: readonly string[], width: number, theme: Theme): string[] {
  const shown = waiting.slice(0, MOST).map((words) => `⧗ ${clean(words).replaceAll('\n', ' ')}`);
  const more = waiting.length > MOST ? [`⧗ and ${waiting.length - MOST} more`] : [];
  const hint = waiting.length > 0 ? ['  esc takes them back'] : [];
  return [...shown, ...more, ...hint].map((line) => theme.dim(cutLine(line, width)));
}
