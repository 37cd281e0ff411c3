/**
 * One turn on one thread: prompt, answer, calls, results, next; until the model has nothing more to do, or someone stops it.
 * The main thread and sub-agents run through here alike.
 */
import { messageOf, type PromptInput, type Step, type ToolCall } from '@sidenote/engine';
import type { HookSaid } from '@sidenote/node';
import type { TurnOptions } from './agent.js';
import { askModel, fallbackOf, interrupted, textOf, whyOf, type Answered } from './ask-model.js';
import { earlyStop } from './early-stop.js';
import type { AgentEvent } from './events.js';
import { stoppedBy } from './hooks.js';
import { contentOf, isTooLong, makesRoom, type Room } from './make-room.js';
import { refusedFold, remakeFor, type Outcome, type Remake } from './remake.js';
import { runCalls } from './run-calls.js';
import { newTally, type Tally } from './tally.js';
import { beforeEnd, beforePrompt, postInstructions, type Ended } from './turn-hooks.js';

/**
 * Runs one turn to its end. A reader that stops in the middle leaves no call unanswered, and neither does a failure of the
 * store, once it can be written again: the thread is idle afterwards. The last event is `turn-ended`.
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
  const { clock } = options;
  const tally = newTally();
  const started = clock.now();
  const outcome = yield* outcomeOf(input, options, { signal, tally });
  const { usage, steps: count, usd, apiMs, denied } = tally;
  yield { type: 'turn-ended', result: { ...outcome, usage, steps: count, usd, apiMs, denied, durationMs: clock.now() - started } };
}

/** What is thrown ends the turn like any other failure: what it took until then was paid all the same. */
async function* outcomeOf(input: PromptInput | string, options: TurnOptions, running: Running): AsyncGenerator<AgentEvent, Ended, void> {
  const { thread } = options;
  try {
    const reached = await options.limit?.();
    if (reached !== undefined) return reached;
    const refused = yield* beforePrompt(input, options, running.signal);
    if (refused === undefined) return yield* prompted(input, options, running);
    // Words that a hook refuses are not to come with the next prompt either.
    if (typeof input !== 'string') for (const item of input.steered ?? []) await thread.withdraw(item);
    return refused;
  } catch (error) {
    // The store that failed may fail again; the next prompt mends what is open.
    if (thread.state !== 'idle') await thread.interrupt('the turn failed').catch(() => undefined);
    return { reason: 'failed', text: messageOf(error), error };
  }
}

type Running = { readonly signal: AbortSignal; readonly tally: Tally };

async function* prompted(input: PromptInput | string, options: TurnOptions, running: Running): AsyncGenerator<AgentEvent, Ended, void> {
  const room = makesRoom({ ...options, ...running });
  yield* room.before(contentOf(input));
  const first = await options.thread.prompt(input, { signal: running.signal });
  return yield* steps(first, options, { ...running, room });
}

/** From the first request to the last answer. */
async function* steps(
  first: Step,
  options: TurnOptions,
  { signal, tally, room }: Running & { readonly room: Room },
): AsyncGenerator<AgentEvent, Ended, void> {
  const { thread, maxSteps = Number.POSITIVE_INFINITY } = options;
  let step = first;
  for (;;) {
    yield* announced(step);
    postInstructions(options);
    const answered: Answered = signal.aborted ? interrupted(signal) : yield* askModel(step, { ...options, signal, tally });
    const remake = signal.aborted ? undefined : remakeOf(answered, step.request.model, options);
    if (remake !== undefined) {
      yield { type: 'request-remade', ...remake };
      step = await thread.retry(remake.how);
      continue;
    }
    const shorter = signal.aborted || !isTooLong(answered) ? undefined : yield* room.refused();
    if (shorter !== undefined) {
      step = shorter;
      continue;
    }
    if ('stopped' in answered) {
      await thread.interrupt(signal.aborted ? whyOf(signal) : answered.text);
      return { reason: answered.stopped, text: isTooLong(answered) ? room.tooLong(answered.text) : answered.text };
    }
    const calls = await thread.response(answered.message);
    room.answered();
    tally.text = textOf(answered.message.content) || tally.text;
    yield { type: 'response-ended', message: answered.message };
    if (calls.length === 0) {
      const stop = earlyStop(answered.message);
      if (stop?.type === 'cut') yield { type: 'notice', level: 'warning', text: stop.text };
      if (stop?.type === 'failed') return { reason: 'failed', text: stop.text };
      const text = textOf(answered.message.content);
      const mayGoOn = tally.steps < maxSteps && (await options.limit?.()) === undefined;
      const further = yield* beforeEnd(text, options, { signal, mayGoOn });
      if (further === undefined) return { reason: 'done', text };
      step = further;
    } else if (tally.steps >= maxSteps) {
      await thread.interrupt(`the limit of ${maxSteps} response${maxSteps === 1 ? '' : 's'} was reached`, { begun: false });
      return { reason: 'max-turns', text: `Stopped after ${maxSteps} response${maxSteps === 1 ? '' : 's'}, as asked.` };
    } else {
      const reached = await options.limit?.();
      if (reached !== undefined) {
        await thread.interrupt(reached.text.replace(/\.$/, ''), { begun: false });
        return reached;
      }
      const by = yield* answerCalls(calls, options, { signal, tally });
      if (signal.aborted || by !== undefined) {
        await thread.interrupt(signal.aborted ? whyOf(signal) : 'a hook ended the turn');
        return by === undefined ? { reason: 'interrupted', text: whyOf(signal) } : { reason: 'stopped', text: stoppedBy(by) };
      }
      // Sub-agents may have spent what was left.
      const spent = await options.limit?.();
      if (spent !== undefined) {
        await thread.interrupt(spent.text);
        return spent;
      }
      step = (yield* room.before([])) ?? (await thread.next({ signal }));
    }
  }
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

/** The hook that ends the turn, if one does. */
async function* answerCalls(
  calls: readonly ToolCall[],
  options: TurnOptions,
  { signal, tally }: Running,
): AsyncGenerator<AgentEvent, HookSaid | undefined, void> {
  let by: HookSaid | undefined;
  for await (const event of runCalls(calls, { ...options, signal })) {
    if (event.type === 'permission-denied') tally.denied.push(event.call);
    if (event.type === 'turn-stopped') by ??= event.by;
    yield event;
  }
  return by;
}

function* announced({ injected, report }: Step): Generator<AgentEvent, void, void> {
  for (const { kind, title } of injected) yield { type: 'attachment-injected', kind, title };
  for (const collected of report)
    if ((collected.outcome !== 'new' && collected.outcome !== 'nothing') || collected.notes !== undefined)
      yield { type: 'attachment-reported', collected };
}
