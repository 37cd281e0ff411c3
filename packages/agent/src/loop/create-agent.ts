/** The loop: prompt, answer, calls, results, next; until the model has nothing more to do, or the person stops it. */
import { setMaxListeners } from 'node:events';
import type { AssistantMessage, Fold, ModelFailure, PromptInput, Returned, Session, Step, ToolCall, Usage } from '@sidenote/engine';
import { withRetries } from '../models/retry.js';
import type { Agent, AgentOptions } from './agent.js';
import { earlyStop } from './early-stop.js';
import { AgentBusyError } from './errors.js';
import type { AgentEvent, TurnResult } from './events.js';
import { refusedFold, remakeFor, type Outcome, type Remake } from './remake.js';
import { runCalls } from './run-calls.js';
import { addUsage, costOf, NO_USAGE } from './usage.js';

/** An agent over an open session. */
export function createAgent(options: AgentOptions): Agent {
  return new LoopingAgent(options);
}

const MOST_WOKEN = 8;
/** Attempts before another model steps in. */
const FEW = 3;
const WOKEN =
  'Nothing was typed: something that ran in the background has news. Go on if it matters to the task, else say so in a few words.';

/** Fold: turns in a row that no person's words opened. */
const wokenFold: Fold<{ turns: number }> = {
  name: 'woken-turns',
  scope: 'chain',
  on: ['user'],
  initial: () => ({ turns: 0 }),
  step: (state, record) => {
    if (record.type !== 'user') return state;
    return record.origin === 'task' ? { turns: state.turns + 1 } : record.origin === 'human' ? { turns: 0 } : state;
  },
};

type Tally = { usage: Usage; steps: number; usd: number | null; apiMs: number; text: string; readonly denied: ToolCall[] };
type Answered =
  | { readonly message: AssistantMessage }
  | { readonly stopped: 'interrupted' | 'failed'; readonly text: string; readonly failure?: ModelFailure };

/** Identity: the one turn that may run. */
class LoopingAgent implements Agent {
  readonly session: Session;
  readonly #options: AgentOptions;
  #running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;

  constructor(options: AgentOptions) {
    this.session = options.session;
    this.#options = options;
  }

  get permissions(): AgentOptions['permissions'] {
    return this.#options.permissions;
  }

  async *run(input: PromptInput | string): AsyncGenerator<AgentEvent, void, void> {
    if (this.#running !== undefined) throw new AgentBusyError();
    const abort = new AbortController();
    // Everything that a turn does at the same time may listen: many are no leak, and Node would print a warning.
    setMaxListeners(0, abort.signal);
    let resolve: () => void = () => undefined;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    this.#running = { abort, ended: promise };
    try {
      yield* this.#turn(input, abort.signal);
    } finally {
      // A reader that stops in mid-turn must not leave a call unanswered.
      if (this.session.main.state !== 'idle') await this.session.main.interrupt('the turn was abandoned');
      this.#running = undefined;
      resolve();
    }
  }

  wake(): AsyncGenerator<AgentEvent, void, void> | null {
    const { pending, main } = this.session;
    if (this.#running !== undefined || !pending.some(({ wake }) => wake)) return null;
    if (main.transcript.read(wokenFold).turns >= MOST_WOKEN) return null;
    return this.run({ content: [{ type: 'text', text: WOKEN }], origin: 'task' });
  }

  async steer(words: string): Promise<void> {
    await this.session.main.steer(words);
  }

  async interrupt(why: string): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.abort.abort(why);
    await running.ended;
  }

  async *#turn(input: PromptInput | string, signal: AbortSignal): AsyncGenerator<AgentEvent, void, void> {
    const thread = this.session.main;
    const tally: Tally = { usage: NO_USAGE, steps: 0, usd: 0, apiMs: 0, text: '', denied: [] };
    const started = this.#now();
    let outcome: Pick<TurnResult, 'reason' | 'text'> | undefined;
    let step = await thread.prompt(input, { signal });
    while (outcome === undefined) {
      yield* announced(step);
      const answered: Answered = signal.aborted ? interrupted(signal) : yield* this.#answer(step, signal, tally);
      const remake = signal.aborted ? undefined : this.#remake(answered, step.request.model);
      if (remake !== undefined) {
        yield { type: 'request-remade', ...remake };
        step = await thread.retry(remake.how);
        continue;
      }
      if ('stopped' in answered) {
        await thread.interrupt(signal.aborted ? whyOf(signal) : answered.text);
        outcome = { reason: answered.stopped, text: answered.text };
        break;
      }
      const calls = await thread.response(answered.message);
      tally.text = textOf(answered.message.content) || tally.text;
      yield { type: 'response-ended', message: answered.message };
      if (calls.length === 0) {
        const stop = earlyStop(answered.message);
        if (stop?.type === 'cut') yield { type: 'notice', level: 'warning', text: stop.text };
        outcome =
          stop?.type === 'failed' ? { reason: 'failed', text: stop.text } : { reason: 'done', text: textOf(answered.message.content) };
      } else if (tally.steps >= (this.#options.maxSteps ?? Number.POSITIVE_INFINITY)) {
        await thread.interrupt(`the limit of ${this.#options.maxSteps} responses was reached`);
        outcome = { reason: 'max-turns', text: `Stopped after ${this.#options.maxSteps} responses, as asked.` };
      } else {
        yield* this.#calls(calls, signal, tally);
        if (signal.aborted) {
          await thread.interrupt(whyOf(signal));
          outcome = { reason: 'interrupted', text: whyOf(signal) };
        } else step = await thread.next({ signal });
      }
    }
    const { usage, steps, usd, apiMs, denied } = tally;
    yield { type: 'turn-ended', result: { ...outcome, usage, steps, usd, apiMs, denied, durationMs: this.#now() - started } };
  }

  /** What else can be tried in place of this outcome. */
  #remake(answered: Answered, model: string): Remake | undefined {
    const outcome: Outcome | undefined =
      'message' in answered
        ? { type: 'answered', message: answered.message }
        : answered.failure === undefined
          ? undefined
          : { type: 'failed', failure: answered.failure };
    const without = this.session.main.transcript.read(refusedFold);
    return outcome === undefined ? undefined : remakeFor(outcome, { model, fallback: () => this.#fallback(), without });
  }

  /** A model without a key or a server can't step in. */
  #fallback(): string | undefined {
    const { adapter, fallbackModel } = this.#options;
    if (fallbackModel === undefined) return undefined;
    try {
      adapter(fallbackModel);
      return fallbackModel;
    } catch {
      return undefined;
    }
  }

  async *#calls(calls: readonly ToolCall[], signal: AbortSignal, tally: Tally): AsyncGenerator<AgentEvent, void, void> {
    const { tools, permissions, ask } = this.#options;
    const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));
    for await (const event of runCalls(calls, { session: this.session, tools: byName, permissions, ask, signal })) {
      if (event.type === 'permission-denied') tally.denied.push(event.call);
      yield event;
    }
  }

  async *#answer({ plan, request }: Step, signal: AbortSignal, tally: Tally): AsyncGenerator<AgentEvent, Answered, void> {
    const adapter = this.#options.adapter(request.model);
    const started = this.#now();
    let usage: Usage = NO_USAGE;
    const fallback = this.#fallback();
    yield { type: 'request-started', plan };
    try {
      for await (const event of withRetries({
        adapter,
        plan,
        body: request,
        signal,
        clock: this.#options.clock,
        random: this.#options.random ?? Math.random,
        ...(fallback === undefined || fallback === request.model ? {} : { attempts: FEW }),
      })) {
        switch (event.type) {
          case 'response-started':
            usage = event.usage;
            yield event;
            break;
          case 'text-delta':
          case 'thinking-delta':
            yield { type: event.type, text: event.text };
            break;
          case 'input-delta':
            break;
          case 'retry-scheduled':
          case 'response-dropped':
            yield event;
            break;
          case 'response-ended':
            count(tally, event.message.usage, costOf(event.message.usage, adapter.profile, plan.marks.at(-1)?.ttl ?? '5m'));
            return { message: event.message };
          case 'response-failed':
            return yield* this.#failed(
              { failure: event.failure, complete: event.complete, usage, model: request.model, id: plan.id },
              signal,
              tally,
            );
        }
      }
      return { stopped: 'failed', text: 'The model ended its answer without a word.' };
    } finally {
      tally.apiMs += this.#now() - started;
    }
  }

  async *#failed(
    { failure, complete, usage, model, id }: Failed,
    signal: AbortSignal,
    tally: Tally,
  ): AsyncGenerator<AgentEvent, Answered, void> {
    if (!signal.aborted) return { stopped: 'failed', text: failure.message, failure };
    // What had ended before the interrupt stays, if it is something that can be sent back.
    const keeps = complete.some((block) => block.type === 'text' || block.type === 'tool_use');
    yield { type: 'response-dropped', why: keeps ? 'what was not finished is not kept' : 'nothing was finished' };
    if (keeps) {
      count(tally, usage, null);
      await this.session.main.response({ id: `interrupted-${id}`, model, content: complete, stop_reason: null, usage });
    }
    return interrupted(signal);
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

type Failed = {
  readonly failure: ModelFailure;
  readonly complete: readonly Returned[];
  readonly usage: Usage;
  readonly model: string;
  readonly id: string;
};

function* announced({ injected, report }: Step): Generator<AgentEvent, void, void> {
  for (const { kind, title } of injected) yield { type: 'attachment-injected', kind, title };
  for (const collected of report)
    if ((collected.outcome !== 'new' && collected.outcome !== 'nothing') || collected.notes !== undefined)
      yield { type: 'attachment-reported', collected };
}

function count(tally: Tally, usage: Usage, usd: number | null): void {
  tally.steps++;
  tally.usage = addUsage(tally.usage, usage);
  tally.usd = usd === null || tally.usd === null ? null : tally.usd + usd;
}

const whyOf = (signal: AbortSignal): string => (typeof signal.reason === 'string' ? signal.reason : 'interrupted');
const interrupted = (signal: AbortSignal): Answered => ({ stopped: 'interrupted', text: whyOf(signal) });
const textOf = (content: readonly Returned[]): string =>
  content.flatMap((block) => (block.type === 'text' && 'text' in block && typeof block.text === 'string' ? [block.text] : [])).join('');
