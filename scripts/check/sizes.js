/** A file that has grown past one concept: listed from 350 lines, refused from 600. */
import { root } from '../workspace.js';
import { readText, trackedFiles } from './tracked.js';

/** @import { Verdict } from '../verdict.js' */

const look = 350;
const limit = 600;

/** @param {string} [base] @returns {Verdict} */
export function checkSizes(base = root) {
  const sizes = trackedFiles(base)
    .filter((path) => /\.(?:ts|js|tsx|css|html)$/.test(path))
    .map((path) => ({ path, lines: (readText(base, path) ?? '').split('\n').length - 1 }))
    .toSorted((a, b) => a.lines - b.lines);
  const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
  const large = sizes.filter(({ lines }) => lines > look).toReversed();
  return {
    ok: large.every(({ lines }) => lines <= limit),
    summary: `${sizes.length} files, median ${median} lines, largest ${sizes.at(-1)?.lines ?? 0}`,
    details: large.map(
      ({ path, lines }) => `${path}: ${lines} lines (${lines > limit ? `more than ${limit}: split it` : 'a second look'})`,
    ),
  };
}
