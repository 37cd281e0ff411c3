/** Which lines of a file were seen, and where these lines are after the file has changed. */
import type { FileView } from '@sidenote/engine';
import type { Hunk } from './diff.js';

type Lines = FileView['lines'];
type Range = readonly [first: number, last: number];

/** Sorted, and joined where ranges overlap or touch. Empty ranges fall away. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (first > last) continue;
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/** Whether a hunk, its context included, lies on or beside lines that were seen. */
export function isSeen(lines: Lines, hunk: Hunk): boolean {
  if (lines === 'all') return true;
  const first = hunk.oldStart;
  const last = hunk.oldStart + Math.max(hunk.oldLines, 1) - 1;
  return lines.some(([from, to]) => from <= last && first <= to);
}

/**
 * The same lines in the changed file. Of `hunks` (all of them, in order) those that `isSeen` were shown, so their
 * lines are seen as well; the others only move what lies below them.
 */
export function shiftRanges(lines: Lines, hunks: readonly Hunk[]): Lines {
  if (lines === 'all') return 'all';
  const moved: Range[] = [];
  let from = 1;
  let shift = 0;
  const keep = (to: number): void => {
    for (const [first, last] of lines) moved.push([Math.max(first, from) + shift, Math.min(last, to) + shift]);
  };
  for (const hunk of hunks) {
    keep(hunk.oldStart - 1);
    if (isSeen(lines, hunk)) moved.push([hunk.newStart, hunk.newStart + hunk.newLines - 1]);
    from = hunk.oldStart + hunk.oldLines;
    shift = hunk.newStart + hunk.newLines - from;
  }
  keep(Number.MAX_SAFE_INTEGER - Math.abs(shift));
  return joinRanges(moved);
}
