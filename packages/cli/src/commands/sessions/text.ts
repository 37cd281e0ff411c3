/** Stored sessions as text: the same list for `/resume` and `sidenote sessions`. */
import type { SessionEntry } from '../../conversation.js';

export type SessionListOptions = {
  /** Columns. */
  readonly width: number;
  /** Marked as the one that runs. */
  readonly current?: string;
  /** Whether each has a number, where one can be chosen by it. Default: true. */
  readonly numbered?: boolean;
};

/** One line per session: number, id, when it was changed, first words; then how one is chosen by its number. */
export function sessionList(entries: readonly SessionEntry[], options: SessionListOptions): string {
  if (entries.length === 0) return 'no sessions here yet';
  const lines = entries.map(({ id, changedAt, title }, index) => {
    const mark = id === options.current ? '*' : ' ';
    const number = options.numbered === false ? '' : String(index + 1).padStart(3);
    const line = `${mark}${number}  ${id.slice(0, 8)}  ${localMinute(new Date(changedAt))}  ${title.replaceAll(/\s+/g, ' ')}`.trimEnd();
    return line.length > options.width ? `${line.slice(0, options.width - 1)}…` : line;
  });
  const isChosen = options.numbered !== false && entries.some(({ id }) => id !== options.current);
  return [...lines, ...(isChosen ? ['/resume <number> goes on with one'] : [])].join('\n');
}

/** `2026-10-22 09:05`, by the clock on the wall. */
export function localMinute(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
