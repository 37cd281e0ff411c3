/** Several hooks of one event as one outcome, in the order in which settings hold them. */
import type { HookNote, HookOutcome, HookPermission } from './contract.js';

/** Nothing was to be run, or nothing was said. */
export const NO_OUTCOME: HookOutcome = { texts: [], blocks: [], notes: [] };

/** The later one wins over those before it. */
const STRENGTH: readonly HookPermission['type'][] = ['allow', 'ask', 'defer', 'deny'];

/** All texts count; of permissions the strongest, of changed inputs and outputs the last. */
export function mergeOutcomes(outcomes: readonly HookOutcome[]): HookOutcome {
  if (outcomes.length === 0) return NO_OUTCOME;
  const permission = outcomes
    .flatMap((one) => (one.permission === undefined ? [] : [one.permission]))
    .reduce<HookPermission | undefined>(
      (strongest, one) => (strongest === undefined || STRENGTH.indexOf(one.type) > STRENGTH.indexOf(strongest.type) ? one : strongest),
      undefined,
    );
  const stop = outcomes.find((one) => one.stop !== undefined)?.stop;
  const input = outcomes.findLast((one) => one.input !== undefined)?.input;
  const output = outcomes.findLast((one) => one.output !== undefined)?.output;
  return {
    texts: outcomes.flatMap(({ texts }) => texts),
    blocks: outcomes.flatMap(({ blocks }) => blocks),
    notes: outcomes.flatMap(({ notes }): readonly HookNote[] => notes),
    ...(stop === undefined ? {} : { stop }),
    ...(permission === undefined ? {} : { permission }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
  };
}
