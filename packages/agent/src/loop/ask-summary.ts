/** Asks the model for a summary of its window; where even asking is too long, of a copy with less in it. */
import { summaryIn, summaryRequest, type ModelProfile, type Usage } from '@sidenote/engine';
import { withRetries } from '../models/retry.js';
import type { TurnOptions } from './agent.js';
import { textOf, whyOf } from './ask-model.js';
import type { AgentEvent } from './events.js';
import { spend, type Tally } from './tally.js';
import { costOf, NO_USAGE } from './usage.js';

export type SummaryOptions = Pick<TurnOptions, 'adapter' | 'clock' | 'random' | 'thread'> & {
  readonly profile: ModelProfile;
  readonly signal: AbortSignal;
  readonly wishes: readonly string[];
  /** Grows by what was paid. */
  readonly paid: Pick<Tally, 'usage' | 'usd'>;
};

/** `unusable`: the model answered, and not with a summary. `unreachable`: it did not answer. */
export type Summary =
  | { readonly type: 'summary'; readonly text: string; readonly model: string }
  | { readonly type: 'unusable' | 'unreachable' | 'interrupted'; readonly why: string };

/** Copies that are tried one after another, as parts of the window. */
const PARTS = [0.8, 0.5, 0.25] as const;
/** Tokens for the words that ask and for the summary. A model may want more room; then it refuses, and a copy asks. */
const WORDS = 10_000;

/** At most four requests. */
export async function* askSummary(options: SummaryOptions): AsyncGenerator<AgentEvent, Summary, void> {
  const { thread, profile } = options;
  const { tokens } = thread.fullness;
  const head = thread.standing.reduce((sum, one) => sum + (one.comes === 'stays' ? one.tokens : 0), 0);
  const most = profile.window - WORDS;
  const fits = tokens <= most;
  const base = fits ? 1 : Math.max(0, most - head) / Math.max(1, tokens - head);
  let why = 'the conversation is too long to be summarised';
  for (const part of [...(fits ? [undefined] : []), ...PARTS.map((one) => one * base)]) {
    const answer = yield* attempt(part, options);
    if (answer.type !== 'too-long') return answer;
    why = answer.why;
  }
  return { type: 'unusable', why };
}

async function* attempt(
  part: number | undefined,
  { thread, adapter, clock, random = Math.random, signal, wishes, paid }: SummaryOptions,
): AsyncGenerator<AgentEvent, Summary | { readonly type: 'too-long'; readonly why: string }, void> {
  const words = summaryRequest({ wishes, running: thread.state !== 'idle' });
  const { request, plan } = await thread.aside(words, 'summary', part === undefined ? {} : { part });
  const model = adapter(request.model);
  let started: Usage = NO_USAGE;
  for await (const event of withRetries({ adapter: model, plan, body: request, signal, clock, random })) {
    if (event.type === 'response-started') started = event.usage;
    else if (event.type === 'retry-scheduled') yield event;
    else if (event.type === 'response-ended') {
      const { usage, content } = event.message;
      spend(paid, usage, costOf(usage, model.profile, plan.marks.at(-1)?.ttl ?? '5m'));
      const text = summaryIn(textOf(content));
      if (text !== undefined) return { type: 'summary', text, model: request.model };
      return { type: 'unusable', why: `${request.model} answered without a summary` };
    } else if (event.type === 'response-failed') {
      if (started !== NO_USAGE) spend(paid, started, costOf(started, model.profile, plan.marks.at(-1)?.ttl ?? '5m'));
      const { type, message } = event.failure;
      if (signal.aborted || type === 'aborted') return { type: 'interrupted', why: whyOf(signal) };
      if (type === 'too-long') return { type, why: message };
      return { type: type === 'retry' || type === 'fatal' ? 'unreachable' : 'unusable', why: message };
    }
  }
  return { type: 'unusable', why: `${request.model} ended its answer without a word` };
}
