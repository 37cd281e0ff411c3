/** When a window is to be compacted, and when that would be in vain. */
import { countText } from '../content/count-text.js';
import type { ModelProfile } from '../request/model.js';
import type { Fullness } from './fullness.js';

/** Share of the window that estimates may be wrong by, and tokens for the words that ask for a summary. */
const MARGIN = 0.02;
const WORDS = 3_000;

/**
 * Tokens from which on a window is compacted: so many that the summary, and the answer before it, still have room beside it.
 * `percent` of the window (0 to 100) can only lower it.
 */
export function compactionThreshold({ window, maxOutput }: Pick<ModelProfile, 'window' | 'maxOutput'>, percent?: number): number {
  const room = window - Math.min(maxOutput, window / 4) - window * MARGIN - WORDS;
  const most = Math.max(window / 2, room);
  const asked = percent === undefined || !(percent > 0) ? most : (window * percent) / 100;
  return Math.floor(Math.min(most, asked));
}

/** `vain`: the window is full, and a compaction would not make room. `why` is one line for a person. */
export type CompactionDue = { readonly type: 'no' } | { readonly type: 'due' } | { readonly type: 'vain'; readonly why: string };

/** What stands in every window, and comes again after each compaction. */
export type Overhead = { readonly name: string; readonly tokens: number };

/**
 * One compaction per filling: a window whose first request was over the threshold already is not compacted again, and neither
 * is one that has just begun. `overhead` is asked only when the window is full. `more`: tokens about to be added.
 */
export function compactionDue(
  { tokens, first, compacted }: Fullness,
  { threshold, more = 0, overhead }: { readonly threshold: number; readonly more?: number; readonly overhead: () => readonly Overhead[] },
): CompactionDue {
  if (tokens + more < threshold) return { type: 'no' };
  if (compacted && first === null) return { type: 'no' };
  const fixed = overhead();
  const sum = fixed.reduce((total, one) => total + one.tokens, 0);
  if (sum >= threshold || (compacted && first !== null && first >= threshold))
    return {
      type: 'vain',
      why: `${countText(tokens)} tokens are over the ${countText(threshold)} at which a compaction begins, and it would not help: ${largest(fixed)}`,
    };
  return { type: 'due' };
}

/** Names of the largest, each with its tokens. */
export function largest(overhead: readonly Overhead[]): string {
  const named = overhead
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, 4)
    .map(({ name, tokens }) => `${name} about ${countText(tokens)}`);
  return `each request holds ${named.length === 0 ? 'what it has to' : named.join(', ')}`;
}
