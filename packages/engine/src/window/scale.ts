/** By how much a provider's counts differ from estimates: learned from each step of a session, per model. */
import type { Id } from '../content/content.js';
import { isOnChain } from '../transcript/chain.js';
import type { Fold } from '../transcript/fold.js';
import { isLean } from '../transcript/lean.js';
import type { AssistantRecord } from '../transcript/records.js';
import { sightOf } from '../request/profiles.js';
import { addSizes, type Estimate, type Sizes } from './estimate.js';
import { inputTokens, isEarly } from './usage.js';

/** One step: text as estimated, and what the provider made of it. */
type Seen = { readonly estimated: number; readonly reported: number };

export type Scales = {
  /** By the model that was asked: the newest steps. */
  readonly byModel: Map<string, readonly Seen[]>;
  /** The newest record: what does not follow on it stands on another branch. */
  head: Id | null;
  /** The newest answer on this branch that its provider counted. */
  answer: AssistantRecord | null;
  /** What came since. */
  since: Sizes;
};

const NOTHING: Sizes = { text: 0, media: { standard: 0, high: 0 } };
/** Steps that are kept: enough for a middle, and few enough to follow a change of what is talked about. */
const KEPT = 40;
/** How much the prior speaks against what a session shows: as a step of so many tokens. */
const PRIOR = 1_000;
/** A step that is so many times more or less than the prior says held something that is not here, unless most steps are. */
const FAR = 1.5;

/**
 * Fold: each step from one counted answer to the next tells what its new messages really are: the provider's difference, less the
 * answer in between, whose size it reported itself.
 */
export function scaleFold(estimate: Estimate): Fold<Scales> {
  return {
    name: 'token-scale',
    scope: 'session',
    on: ['user', 'assistant', 'tool_result', 'attachment', 'prefix', 'compact_boundary'],
    initial: () => ({ byModel: new Map(), head: null, answer: null, since: NOTHING }),
    step(state, record) {
      if (!isOnChain(record)) return state;
      if (record.type === 'prefix' || record.type === 'compact_boundary' || record.parent !== state.head || isLean(record))
        state.answer = null;
      state.head = record.id;
      if (record.type !== 'assistant') state.since = addSizes(state.since, estimate(record));
      else if (inputTokens(record.message.usage) === 0) state.answer = null;
      else {
        if (state.answer !== null) learn(state, { from: state.answer, to: record, estimate });
        state.answer = record;
        state.since = NOTHING;
      }
      return state;
    },
  };
}

type Step = { readonly from: AssistantRecord; readonly to: AssistantRecord; readonly estimate: Estimate };

function learn({ byModel, since }: Scales, { from, to, estimate }: Step): void {
  if (from.asked !== to.asked) return;
  const early = isEarly(from, estimate);
  const estimated = since.text + (early ? estimate(from).text : 0);
  const grown = inputTokens(to.message.usage) - inputTokens(from.message.usage);
  const reported = grown - since.media[sightOf(to.asked)] - (early ? 0 : from.message.usage.output_tokens);
  // Thinking was dropped, or a result was cleared: this was not only added to.
  if (estimated <= 0 || reported <= 0) return;
  byModel.set(to.asked, [...(byModel.get(to.asked) ?? []), { estimated, reported }].slice(-KEPT));
}

/**
 * What raw estimates of text are multiplied by: the middle of the steps, large ones counting for more. A step in which something
 * unseen was sent says nothing of texts, so while most steps are near the prior only those count. `prior`: where a session has
 * shown nothing yet.
 */
export function scaleFor(scales: Pick<Scales, 'byModel'>, model: string, prior: number): number {
  const steps = [{ estimated: PRIOR, reported: PRIOR * prior }, ...(scales.byModel.get(model) ?? [])]
    .map(({ estimated, reported }) => ({ ratio: reported / estimated, weight: Math.sqrt(estimated) }))
    .toSorted((a, b) => a.ratio - b.ratio);
  const near = steps.filter(({ ratio }) => ratio > prior / FAR && ratio < prior * FAR);
  return middle(near.length * 2 >= steps.length ? near : steps) ?? prior;
}

function middle(steps: readonly { readonly ratio: number; readonly weight: number }[]): number | undefined {
  let left = steps.reduce((sum, { weight }) => sum + weight, 0) / 2;
  return steps.find(({ weight }) => (left -= weight) <= 0)?.ratio;
}
