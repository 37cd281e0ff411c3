/** How full the window is: what the provider reported with its newest answer, and an estimate of what came since. */
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import type { Fold, Transcript } from '../transcript/fold.js';
import type { AssistantRecord, BoundaryRecord, ChainRecord, PrefixRecord } from '../transcript/records.js';
import { countWindow } from './count.js';
import { estimateWith } from './estimate.js';
import { inputTokens } from './usage.js';

export type Fullness = {
  /** Tokens of the next request as far as it stands: system, tools and the window. */
  readonly tokens: number;
  /** `reported`: most of it was counted by the provider. `estimated`: none of it was. */
  readonly by: 'reported' | 'estimated';
  /** Tokens of the first request of this window that was answered; null before. */
  readonly first: number | null;
  /** A boundary stands at the beginning of this window. */
  readonly compacted: boolean;
};

type State = {
  boundary: BoundaryRecord | undefined;
  /** The newest record of the boundary's own batch: what follows it belongs to the window itself, everything else to the kept tail. */
  joint: Id | undefined;
  own: boolean;
  first: AssistantRecord | undefined;
};

/** Fold: the first answer of this window whose report counts. Answers in a kept tail counted another window. */
const reportsFold: Fold<State> = {
  name: 'window:reports',
  scope: 'window',
  on: ['user', 'assistant', 'tool_result', 'attachment', 'compact_boundary'],
  initial: () => ({ boundary: undefined, joint: undefined, own: true, first: undefined }),
  step(state, record) {
    if (record.type === 'compact_boundary') return { ...state, boundary: record, joint: record.id, own: false };
    const chained = record as ChainRecord;
    if (!state.own) {
      if (record.batch.id === state.boundary?.batch.id) state.joint = record.id;
      else if (chained.parent === state.joint) state.own = true;
    }
    if (chained.type === 'assistant' && state.own && inputTokens(chained.message.usage) > 0) state.first ??= chained;
    return state;
  },
};

/** Cost: what came since the newest answer. */
export function fullnessOf(transcript: Pick<Transcript, 'read'>, counts: Ports['tokens']): Fullness {
  const { boundary, first } = transcript.read(reportsFold);
  const { tokens, counted } = countWindow(transcript, counts);
  return {
    tokens,
    by: counted > 0 ? 'reported' : 'estimated',
    first: first === undefined ? null : inputTokens(first.message.usage),
    compacted: boundary !== undefined,
  };
}

/** Estimated tokens of system and tools. */
export const headTokens = (prefix: PrefixRecord, counts: Ports['tokens']): number => estimateWith(counts)(prefix).text;

/** Estimated tokens that one record adds to a request; an answer's output is known where it was reported. */
export function tokensOf(record: ChainRecord, counts: Ports['tokens']): number {
  if (record.type === 'prefix') return 0;
  if (record.type === 'assistant' && record.message.usage.output_tokens > 0) return record.message.usage.output_tokens;
  const { text, media } = estimateWith(counts)(record);
  return text + media.standard;
}
