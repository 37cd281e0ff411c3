/** Line diffs with a time limit: removed lines before added ones, line ends kept out of it. */
import type { structuredPatch } from 'diff';
import { splitLines } from './lines.js';

/** One place where two texts differ. Starts are 1-based; with a count of 0 the hunk stands after line `start - 1`. */
export type Hunk = {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** ` same`, `-removed`, `+added`. */
  readonly lines: readonly string[];
};

export type LineDiff = {
  readonly hunks: readonly Hunk[];
  /** Removed and added lines; an upper bound when the limit was reached. */
  readonly changedLines: number;
};

/** Lines of context around a change. */
export const contextLines = 2;

/** Compares two texts line by line. `timeoutMs` (default 200) bounds the search for the smallest difference. */
export async function diffLines(before: string, after: string, options: { readonly timeoutMs?: number } = {}): Promise<LineDiff> {
  const old = splitLines(before);
  const now = splitLines(after);
  const { structuredPatch } = await import('diff');
  const hunks = smallest(structuredPatch, old, now, options.timeoutMs ?? 200) ?? [wholeDifference(old, now)];
  let changedLines = 0;
  for (const hunk of hunks) for (const line of hunk.lines) if (!line.startsWith(' ')) changedLines += 1;
  return { hunks, changedLines };
}

/** A hunk as unified diffs write it, header first. */
export function hunkText(hunk: Hunk): string {
  const from = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`;
  return [`@@ -${from(hunk.oldStart, hunk.oldLines)} +${from(hunk.newStart, hunk.newLines)} @@`, ...hunk.lines].join('\n');
}

function smallest(patch: typeof structuredPatch, old: readonly string[], now: readonly string[], timeout: number): Hunk[] | undefined {
  if (timeout <= 0) return undefined;
  // Every line gets an end, so that a missing last one is no difference of the last line.
  const found = patch('', '', closed(old), closed(now), '', '', { context: contextLines, timeout });
  return found?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines }));
}

/** One hunk between the common beginning and the common end: never small, always right, and linear. */
function wholeDifference(old: readonly string[], now: readonly string[]): Hunk {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const start = Math.max(0, head - contextLines);
  const after = Math.min(tail, contextLines);
  const same = (lines: readonly string[]): string[] => lines.map((line) => ` ${line}`);
  return {
    oldStart: start + 1,
    oldLines: old.length - tail + after - start,
    newStart: start + 1,
    newLines: now.length - tail + after - start,
    lines: [
      ...same(old.slice(start, head)),
      ...old.slice(head, old.length - tail).map((line) => `-${line}`),
      ...now.slice(head, now.length - tail).map((line) => `+${line}`),
      ...same(old.slice(old.length - tail, old.length - tail + after)),
    ],
  };
}

function closed(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
