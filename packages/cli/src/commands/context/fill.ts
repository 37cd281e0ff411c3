/** How full the window is now, and how far a compaction is away: two numbers that must not be taken for each other. */
import { countText, type Fullness } from '@sidenote/engine';

/** One line. `compactsAt`: tokens at which a compaction begins by itself; null: it never does. */
export function fillLine(
  { tokens, by }: Pick<Fullness, 'tokens' | 'by'>,
  { window, compactsAt }: { readonly window: number; readonly compactsAt: number | null },
): string {
  const used = `in use now: ${by === 'reported' ? '' : '≈'}${countText(tokens)} of ${countText(window)} tokens (${percent(tokens, window)})`;
  if (compactsAt === null) return `${used}; nothing is compacted unless you ask (/compact)`;
  const at = `${countText(compactsAt)} (${percent(compactsAt, window)})`;
  if (tokens >= compactsAt) return `${used}; a compaction begins at ${at}, so with the next request`;
  return `${used}; a compaction begins at ${at}, ${countText(compactsAt - tokens)} from here`;
}

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
