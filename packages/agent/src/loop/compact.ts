/**
 * One compaction: a summary takes the place of the conversation, the newest messages aside. Whatever goes wrong before the
 * boundary is written leaves the session as it was.
 */
import {
  keptTail,
  messageOf,
  plainSummary,
  summaryContent,
  type ChainRecord,
  type Content,
  type KeptTail,
  type Standing,
  type Step,
  type Thread,
  type UserRecord,
} from '@sidenote/engine';
import type { TurnOptions } from './agent.js';
import { askSummary, type Summary } from './ask-summary.js';
import { afterCompaction, beforeBoundary, beforeCompaction } from './compaction-hooks.js';
import { modelsNow, thresholdFor } from './compaction-due.js';
import type { AgentEvent, CompactionResult, CompactionTrigger } from './events.js';
import { spend, type Tally } from './tally.js';
import { NO_USAGE } from './usage.js';

export type CompactOptions = Pick<TurnOptions, 'adapter' | 'clock' | 'random' | 'session' | 'thread' | 'compaction' | 'hooks'> & {
  readonly trigger: CompactionTrigger;
  readonly signal: AbortSignal;
  /** What a person wants of the summary. */
  readonly wishes?: readonly string[];
  /** The turn that it belongs to. */
  readonly tally?: Tally;
};

/** `step`: the request with which a running turn goes on; undefined when nothing was changed, or no turn runs. */
export type Compacted = { readonly result: CompactionResult; readonly step: Step | undefined };
type Paid = Pick<Tally, 'usage' | 'usd'>;
type Unpaid = Omit<CompactionResult, 'usage' | 'usd'>;

/** Part of the threshold that the newest step may hold and be kept whole. */
const NEWEST = 0.5;

export async function* compact(options: CompactOptions): AsyncGenerator<AgentEvent, Compacted, void> {
  const paid: Paid = { usage: NO_USAGE, usd: 0 };
  try {
    const { result, step } = yield* attempt(options, paid);
    const ended: CompactionResult = { ...result, ...paid };
    yield { type: 'compaction-ended', result: ended };
    return { result: ended, step };
  } finally {
    // Paid also where the boundary can't be stored.
    if (options.tally !== undefined) spend(options.tally, paid.usage, paid.usd);
  }
}

type Attempt = { readonly result: Unpaid; readonly step?: Step | undefined };

/** What is thrown ends a running turn; where none runs, a store that fails is one more way to fail. */
async function* attempt(options: CompactOptions, paid: Paid): AsyncGenerator<AgentEvent, Attempt, void> {
  try {
    return yield* run(options, paid);
  } catch (error) {
    const { trigger, thread } = options;
    if (trigger !== 'manual') throw error;
    const { tokens } = thread.fullness;
    const why = messageOf(error);
    return { result: { trigger, outcome: 'failed', why, before: tokens, after: tokens, kept: 0, survives: [] } };
  }
}

async function* run(options: CompactOptions, paid: Paid): AsyncGenerator<AgentEvent, Attempt, void> {
  const { thread, trigger, wishes = [] } = options;
  const idle = thread.state === 'idle';
  // A process that ended in mid-turn may have left calls without a result.
  if (idle) await thread.interrupt('the process ended before this call did');
  const before = thread.fullness.tokens;
  const { current } = modelsNow(options);
  const { window } = thread.transcript;
  const unchanged = { trigger, before, after: before, kept: 0, survives: [] };
  if (current === undefined) return { result: { ...unchanged, outcome: 'nothing', why: NOTHING } };
  const { profile } = options.adapter(current);
  const running = idle ? {} : { running: thresholdFor(profile, options) * NEWEST };
  const tail = keptTail(window, { tokens: (content) => thread.tokens(content), ...running });
  if (!losesAnything(window, tail, idle)) return { result: { ...unchanged, outcome: 'nothing', why: NOTHING } };
  const objection = yield* beforeCompaction(options);
  if (objection !== undefined) return { result: { ...unchanged, outcome: 'refused', why: objection } };
  const survives = survivors(thread);
  yield { type: 'compaction-started', trigger, tokens: before, survives };
  const summary = yield* askSummary({ ...options, profile, wishes, paid });
  const stop = stopOf(summary, options);
  if (stop !== undefined) return { result: { ...unchanged, ...stop } };
  const isModels = summary.type === 'summary';
  const text = isModels ? summary.text : plainSummary(window);
  const content = summaryContent(text, { words: idle ? [] : unansweredWords(window, tail), window: profile.window });
  yield* beforeBoundary(options);
  if (options.signal.aborted) return { result: { ...unchanged, outcome: 'interrupted', why: INTERRUPTED } };
  const how = isModels ? { writtenBy: { model: summary.model, usage: paid.usage } } : {};
  const step = await thread.compact(content, tail.from, trigger, how);
  afterCompaction(options, text);
  const result: Unpaid = {
    trigger,
    ...(isModels ? { outcome: 'summarised' } : { outcome: 'plain', why: summary.why }),
    before,
    after: thread.fullness.tokens,
    kept: tail.messages,
    survives: idle ? survives : survivors(thread),
  };
  return { result, step: idle ? undefined : step };
}

const INTERRUPTED = 'interrupted';
const NOTHING = 'there is nothing to compact yet';

/** A model that can't be reached will be asked again; where the request itself was refused, there is no going on without room. */
function stopOf(summary: Summary, { trigger, signal }: CompactOptions): Pick<CompactionResult, 'outcome' | 'why'> | undefined {
  if (signal.aborted) return { outcome: 'interrupted', why: INTERRUPTED };
  if (summary.type === 'interrupted') return { outcome: 'interrupted', why: summary.why };
  if (summary.type === 'unreachable' && trigger !== 'overflow') return { outcome: 'failed', why: summary.why };
  return undefined;
}

/** Something that was answered stands before the tail, or words without an answer: while a turn runs, others than its own. */
function losesAnything(window: readonly ChainRecord[], { from }: KeptTail, idle: boolean): boolean {
  const tailAt = window.findIndex(({ id }) => id === from);
  const before = tailAt < 0 ? window : window.slice(0, tailAt);
  if (before.some(({ type }) => type === 'assistant')) return true;
  if (idle) return tailAt >= 0 && before.some(isSaid);
  return before.slice(0, window.findLastIndex(isSaid)).some(isSaid);
}

/** Words, and no summary of them. */
export const isSaid = (record: ChainRecord): record is UserRecord => record.type === 'user' && record.origin !== 'summary';

const survivors = ({ standing }: Thread): readonly Standing[] => standing.filter(({ comes }) => comes !== 'stays');

/** The words that are being worked on, unless they stand in the tail. */
function unansweredWords(window: readonly ChainRecord[], { from }: KeptTail): readonly string[] {
  const at = window.findLastIndex(isSaid);
  const record = window[at];
  const tailAt = from === null ? window.length : window.findIndex(({ id }) => id === from);
  return record?.type === 'user' && at < tailAt ? [wordsOf(record.content)] : [];
}

const wordsOf = (content: readonly Content[]): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
