/** The levels of a window at which the model is told that a summary comes: what else speaks of the window is silent there. */
import type { WindowFill } from '../ports.js';

const LEVELS = [90, 80, 60] as const;

/** The level that is passed now and was not told; undefined: none. */
export function levelPassed(told: Readonly<{ level: number }>, { tokens, window }: WindowFill): number | undefined {
  const level = LEVELS.find((one) => tokens * 100 >= window * one);
  return level !== undefined && level > told.level ? level : undefined;
}
