/** How full the window is: what the provider reported with its newest answer, and an estimate of what came since. */
import type { Ports } from '../attachments/ports.js';
import type { Content, Id } from '../content/content.js';
import { prefixFold } from '../request/sent.js';
import type { Fold, Transcript } from '../transcript/fold.js';
import type { AssistantRecord, BoundaryRecord, ChainRecord, PrefixRecord, Usage } from '../transcript/records.js';

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

type Counts = (content: readonly Content[]) => number;

type State = {
  boundary: BoundaryRecord | undefined;
  /** The newest record of the boundary's own batch: what follows it belongs to the window itself, everything else to the kept tail. */
  joint: Id | undefined;
  own: boolean;
  first: AssistantRecord | undefined;
  newest: AssistantRecord | undefined;
  /** What no report covers yet. */
  since: ChainRecord[];
};

/** Fold: the answers of this window whose reports count, and what came after the newest. Answers in a kept tail counted another window. */
const reportsFold: Fold<State> = {
  name: 'window:reports',
  scope: 'window',
  on: ['user', 'assistant', 'tool_result', 'attachment', 'compact_boundary'],
  initial: () => ({ boundary: undefined, joint: undefined, own: true, first: undefined, newest: undefined, since: [] }),
  step(state, record) {
    if (record.type === 'compact_boundary') return { ...state, boundary: record, joint: record.id, own: false, since: [] };
    const chained = record as ChainRecord;
    if (!state.own) {
      if (record.batch.id === state.boundary?.batch.id) state.joint = record.id;
      else if (chained.parent === state.joint) state.own = true;
    }
    if (chained.type === 'assistant' && state.own && tokensIn(chained.message.usage) > 0) {
      state.first ??= chained;
      state.newest = chained;
      state.since = [];
    } else state.since.push(chained);
    return state;
  },
};

/** Cost: what came since the newest answer; the whole window only where a provider reports nothing. */
export function fullnessOf(transcript: Pick<Transcript, 'read'>, counts: Counts): Fullness {
  const { boundary, first, newest, since } = transcript.read(reportsFold);
  const more = since.reduce((sum, record) => sum + tokensOf(record, counts), 0);
  const compacted = boundary !== undefined;
  if (newest === undefined) {
    const prefix = transcript.read(prefixFold).value;
    return { tokens: more + (prefix === null ? 0 : headTokens(prefix, counts)), by: 'estimated', first: null, compacted };
  }
  const { usage } = newest.message;
  return {
    tokens: tokensIn(usage) + usage.output_tokens + more,
    by: 'reported',
    first: first === undefined ? null : tokensIn(first.message.usage),
    compacted,
  };
}

/** All tokens that went in, whatever the cache did with them. */
function tokensIn(usage: Usage): number {
  return usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
}

/** Only a memory: records never change, and counting takes time. */
const counted = new WeakMap<object, { readonly counts: Counts; readonly tokens: number }>();

function once(key: object, counts: Counts, count: () => number): number {
  const known = counted.get(key);
  if (known?.counts === counts) return known.tokens;
  const tokens = count();
  counted.set(key, { counts, tokens });
  return tokens;
}

/** Estimated tokens of system and tools. */
export function headTokens(prefix: PrefixRecord, counts: Counts): number {
  return once(prefix, counts, () => counts([...prefix.system.map(({ text }) => words(text)), words(JSON.stringify(prefix.tools))]));
}

/** Estimated tokens that one record adds to a request; an answer's output is known where it was reported. */
export function tokensOf(record: ChainRecord, counts: Ports['tokens']): number {
  switch (record.type) {
    case 'assistant': {
      const { content, usage } = record.message;
      return usage.output_tokens > 0
        ? usage.output_tokens
        : once(record, counts, () => counts(content.map((block) => words(JSON.stringify(block)))));
    }
    case 'user':
    case 'tool_result':
    case 'attachment':
      return once(record, counts, () => counts(record.content));
    default:
      return 0;
  }
}

const words = (text: string): Content => ({ type: 'text', text });
