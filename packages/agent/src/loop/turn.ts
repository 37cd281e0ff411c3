/**
 * One turn on one thread: prompt, answer, calls, results, next; until the model has nothing more to do, or someone stops it.
 * The main thread and sub-agents run through here alike.
 */
import type { PromptInput, Step, ToolCall } from '@sidenote/engine';
import type { TurnOptions } from './agent.js';
import { askModel, fallbackOf, interrupted, textOf, whyOf, type Answered } from './ask-model.js';
import { earlyStop } from './early-stop.js';
import type { AgentEvent, TurnResult } from './events.js';
import { refusedFold, remakeFor, type Outcome, type Remake } from './remake.js';
import { runCalls } from './run-calls.js';
import { newTally, type Tally } from './tally.js';

/**
 * Runs one turn to its end. A reader that stops in the middle, or a failure of the store, leaves no call unanswered: the
 * thread is idle afterwards. The last event is `turn-ended`.
 */
export async function* runTurn(
  input: PromptInput | string,
  options: TurnOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, void> {
  try {
    yield* turn(input, options, signal);
  } finally {
    if (options.thread.state !== 'idle') await options.thread.interrupt('the turn was abandoned');
  }
}

async function* turn(input: PromptInput | string, options: TurnOptions, signal: AbortSignal): AsyncGenerator<AgentEvent, void, void> {
  const { thread, clock } = options;
  const tally = newTally();
  const started = clock.now();
  let outcome: Pick<TurnResult, 'reason' | 'text'> | undefined;
  let step = await thread.prompt(input, { signal });
  while (outcome === undefined) {
    yield* announced(step);
    const answered: Answered = signal.aborted ? interrupted(signal) : yield* askModel(step, { ...options, signal, tally });
    const remake = signal.aborted ? undefined : remakeOf(answered, step.request.model, options);
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
    } else if (tally.steps >= (options.maxSteps ?? Number.POSITIVE_INFINITY)) {
      await thread.interrupt(`the limit of ${options.maxSteps} responses was reached`);
      outcome = { reason: 'max-turns', text: `Stopped after ${options.maxSteps} responses, as asked.` };
    } else {
      yield* answerCalls(calls, options, { signal, tally });
      if (signal.aborted) {
        await thread.interrupt(whyOf(signal));
        outcome = { reason: 'interrupted', text: whyOf(signal) };
      } else step = await thread.next({ signal });
    }
  }
  const { usage, steps, usd, apiMs, denied } = tally;
  yield { type: 'turn-ended', result: { ...outcome, usage, steps, usd, apiMs, denied, durationMs: clock.now() - started } };
}

/** What else can be tried in place of this outcome. */
function remakeOf(answered: Answered, model: string, options: TurnOptions): Remake | undefined {
  const outcome: Outcome | undefined =
    'message' in answered
      ? { type: 'answered', message: answered.message }
      : answered.failure === undefined
        ? undefined
        : { type: 'failed', failure: answered.failure };
  const without = options.thread.transcript.read(refusedFold);
  return outcome === undefined ? undefined : remakeFor(outcome, { model, fallback: () => fallbackOf(options), without });
}

async function* answerCalls(
  calls: readonly ToolCall[],
  options: TurnOptions,
  { signal, tally }: { readonly signal: AbortSignal; readonly tally: Tally },
): AsyncGenerator<AgentEvent, void, void> {
  for await (const event of runCalls(calls, { ...options, signal })) {
    if (event.type === 'permission-denied') tally.denied.push(event.call);
    yield event;
  }
}

function* announced({ injected, report }: Step): Generator<AgentEvent, void, void> {
  for (const { kind, title } of injected) yield { type: 'attachment-injected', kind, title };
  for (const collected of report)
    if ((collected.outcome !== 'new' && collected.outcome !== 'nothing') || collected.notes !== undefined)
      yield { type: 'attachment-reported', collected };
}
