/** By how much a provider's counts differ from estimates: learned from each step of a session, per model. */
import type { Id } from '../content/content.js';
import { isOnChain } from '../transcript/chain.js';
import type { Fold } from '../transcript/fold.js';
import type { AssistantRecord } from '../transcript/records.js';
import type { Estimate } from './estimate.js';
import { inputTokens, isEarly } from './usage.js';

/** Tokens as estimated, and what the provider made of the same. */
type Seen = { readonly estimated: number; readonly reported: number };

export type Scales = {
  /** By the model that was asked. */
  readonly byModel: Map<string, Seen>;
  /** The newest record: what does not follow on it stands on another branch. */
  head: Id | null;
  /** The newest answer on this branch that its provider counted. */
  answer: AssistantRecord | null;
  /** Raw estimate of what came since. */
  since: number;
};

/** Tokens for which the prior speaks against what a session shows. */
const PRIOR = 500;
/** A step outside of these was not only added to: thinking was dropped, a result was cleared, something unseen was sent. */
const CREDIBLE = { least: 0.4, most: 4 };

/**
 * Fold: each step from one counted answer to the next tells what its new messages really are: the provider's difference, less the
 * answer in between, whose size it reported itself.
 */
export function scaleFold(estimate: Estimate): Fold<Scales> {
  return {
    name: 'token-scale',
    scope: 'session',
    on: ['user', 'assistant', 'tool_result', 'attachment', 'prefix', 'compact_boundary'],
    initial: () => ({ byModel: new Map(), head: null, answer: null, since: 0 }),
    step(state, record) {
      if (!isOnChain(record)) return state;
      if (record.type === 'prefix' || record.type === 'compact_boundary' || record.parent !== state.head) state.answer = null;
      state.head = record.id;
      if (record.type !== 'assistant') state.since += record.type === 'prefix' ? 0 : estimate(record);
      else if (inputTokens(record.message.usage) === 0) state.answer = null;
      else {
        if (state.answer !== null) learn(state, { from: state.answer, to: record, estimate });
        state.answer = record;
        state.since = 0;
      }
      return state;
    },
  };
}

type Step = { readonly from: AssistantRecord; readonly to: AssistantRecord; readonly estimate: Estimate };

function learn({ byModel, since }: Scales, { from, to, estimate }: Step): void {
  if (from.asked !== to.asked) return;
  const early = isEarly(from, estimate);
  const estimated = since + (early ? estimate(from) : 0);
  const grown = inputTokens(to.message.usage) - inputTokens(from.message.usage);
  const reported = grown - (early ? 0 : from.message.usage.output_tokens);
  if (estimated === 0 || reported < estimated * CREDIBLE.least || reported > estimated * CREDIBLE.most) return;
  const seen = byModel.get(to.asked) ?? { estimated: 0, reported: 0 };
  byModel.set(to.asked, { estimated: seen.estimated + estimated, reported: seen.reported + reported });
}

/** What raw estimates are multiplied by. `prior`: where a session has shown nothing yet. */
export function scaleFor(scales: Pick<Scales, 'byModel'>, model: string, prior: number): number {
  const { estimated, reported } = scales.byModel.get(model) ?? { estimated: 0, reported: 0 };
  return (prior * PRIOR + reported) / (PRIOR + estimated);
}
