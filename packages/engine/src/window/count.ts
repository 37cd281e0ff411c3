/**
 * How full the window is: what the provider counted with the newest answer, and an estimate of what came since, rescaled by how
 * far its counts have been from estimates in this session.
 */
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import { sightOf, textScaleOf } from '../request/profiles.js';
import { prefixFold } from '../request/sent.js';
import { isOnChain } from '../transcript/chain.js';
import type { Fold, Transcript } from '../transcript/fold.js';
import type { AssistantRecord } from '../transcript/records.js';
import { addSizes, estimateWith, type Estimate, type Sizes } from './estimate.js';
import { scaleFold, scaleFor } from './scale.js';
import { inputTokens, isEarly } from './usage.js';

/** All counts are tokens. */
export type WindowCount = {
  /** What the next request would hold with what is on the chain now, system and tools included: `counted` and `estimated` together. */
  readonly tokens: number;
  /** Of these, counted by the provider: input and output of the newest answer. 0 before the first answer of a window. */
  readonly counted: number;
  /** Of these, estimated and rescaled. */
  readonly estimated: number;
  /** What raw estimates of text are multiplied by for this model. */
  readonly scale: number;
};

type Sums = {
  /** Of the window without its head. */
  total: Sizes;
  /** By answer: the sum up to it. */
  readonly upTo: Map<Id, Sizes>;
};

/**
 * Cost: O(new) after an append; once O(window) after a boundary or a rewind, without looking into a text again. `tokens` must be
 * the same function at each call (`ports.tokens` is): what it counted is remembered with it.
 */
export function countWindow(transcript: Pick<Transcript, 'read'>, tokens: Ports['tokens']): WindowCount {
  const prefix = transcript.read(prefixFold).value;
  if (prefix === null) return { tokens: 0, counted: 0, estimated: 0, scale: 1 };
  const { sums, scales, estimate } = foldsOf(tokens);
  const scale = scaleFor(transcript.read(scales), prefix.model, textScaleOf(prefix.model));
  const { total, upTo } = transcript.read(sums);
  const sight = sightOf(prefix.model);
  const sized = ({ text, media }: Sizes) => text * scale + media[sight];
  const { answer } = transcript.read(anchorFold);
  const before = answer === null ? undefined : upTo.get(answer.id);
  if (answer === null || before === undefined) {
    const estimated = Math.round(sized(addSizes(estimate(prefix), total)));
    return { tokens: estimated, counted: 0, estimated, scale };
  }
  const counted = inputTokens(answer.message.usage) + outputOf(answer, estimate, scale);
  const estimated = Math.round(sized(total) - sized(before));
  return { tokens: counted + estimated, counted, estimated, scale };
}

/** What an answer takes in the next request. */
function outputOf(answer: AssistantRecord, estimate: Estimate, scale: number): number {
  return isEarly(answer, estimate) ? Math.round(estimate(answer).text * scale) : answer.message.usage.output_tokens;
}

/** Fold: the newest answer to a request of this window under the prefix in force, if its provider counts. A kept tail is older. */
const anchorFold: Fold<{ answer: AssistantRecord | null }> = {
  name: 'window-anchor',
  scope: 'chain',
  on: ['assistant', 'prefix', 'compact_boundary'],
  initial: () => ({ answer: null }),
  step: (state, record) =>
    record.type !== 'assistant' ? { answer: null } : inputTokens(record.message.usage) === 0 ? state : { answer: record },
};

type Folds = { readonly sums: Fold<Sums>; readonly scales: ReturnType<typeof scaleFold>; readonly estimate: Estimate };
const folds = new WeakMap<Ports['tokens'], Folds>();

/** A log knows its folds by identity, so a counter has the same ones at each call. */
function foldsOf(tokens: Ports['tokens']): Folds {
  const known = folds.get(tokens);
  if (known !== undefined) return known;
  const estimate = estimateWith(tokens);
  const made = { sums: sumsFold(estimate), scales: scaleFold(estimate), estimate };
  folds.set(tokens, made);
  return made;
}

function sumsFold(estimate: Estimate): Fold<Sums> {
  return {
    name: 'window-estimate',
    scope: 'window',
    on: ['user', 'assistant', 'tool_result', 'attachment'],
    initial: () => ({ total: { text: 0, media: { standard: 0, high: 0 } }, upTo: new Map() }),
    step(state, record) {
      if (!isOnChain(record)) return state;
      state.total = addSizes(state.total, estimate(record));
      if (record.type === 'assistant') state.upTo.set(record.id, state.total);
      return state;
    },
  };
}
