/** What a turn has taken so far. */
import type { ToolCall, Usage } from '@sidenote/engine';
import { addUsage, NO_USAGE } from './usage.js';

export type Tally = {
  usage: Usage;
  steps: number;
  /** US dollars; null once a price was not known. */
  usd: number | null;
  apiMs: number;
  /** Of the newest answer that had words. */
  text: string;
  readonly denied: ToolCall[];
};

/** Nothing yet. */
export const newTally = (): Tally => ({ usage: NO_USAGE, steps: 0, usd: 0, apiMs: 0, text: '', denied: [] });

/** Adds one response. */
export function count(tally: Tally, usage: Usage, usd: number | null): void {
  tally.steps++;
  spend(tally, usage, usd);
}

/** Adds what was paid beside the responses of the turn. */
export function spend(tally: Pick<Tally, 'usage' | 'usd'>, usage: Usage, usd: number | null): void {
  tally.usage = addUsage(tally.usage, usage);
  tally.usd = usd === null || tally.usd === null ? null : tally.usd + usd;
}
