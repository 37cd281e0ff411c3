/** Runs the calls of one answer: checked, judged, asked for, run; each result is stored as it ends. */
import { viewsFold, type ToolCall, type ToolOutcome } from '@sidenote/engine';
import type { PermissionAnswer } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import { Channel } from './channel.js';
import type { TurnOptions } from './agent.js';
import type { AgentEvent } from './events.js';
import { toolOf } from './find-tool.js';
import { skillGrants } from './skill-grants.js';

export type CallsOptions = Pick<TurnOptions, 'session' | 'thread' | 'tools' | 'laterTools' | 'permissions' | 'ask'> & {
  readonly signal: AbortSignal;
};

/** Calls that run side by side at most: each may start processes of its own, and a model may send hundreds at once. */
const SIDE_BY_SIDE = 8;

/** Calls of a step run side by side when each of them only reads; else one after the other, in call order. */
export async function* runCalls(calls: readonly ToolCall[], options: CallsOptions): AsyncGenerator<AgentEvent, void, void> {
  const events = new Channel<AgentEvent>();
  const run = (call: ToolCall) => runCall(call, options, (event) => events.push(event));
  const onlyReads = calls.every((call) => onlyReading(call, options));
  const waiting = calls.values();
  const lane = async (): Promise<void> => {
    for (const call of waiting) await run(call);
  };
  const lanes = Array.from({ length: onlyReads ? SIDE_BY_SIDE : 1 }, lane);
  const done = Promise.all(lanes).finally(() => events.end());
  done.catch(() => undefined);
  yield* events;
  await done;
}

/** What can't run changes nothing. */
function onlyReading(call: ToolCall, options: CallsOptions): boolean {
  const found = toolOf(call, options);
  return !found.ok || found.tool.access === 'read';
}

type Emit = (event: AgentEvent) => void;

async function runCall(call: ToolCall, options: CallsOptions, emit: Emit): Promise<void> {
  const { thread, signal } = options;
  const outcome = signal.aborted ? notRun(signal) : await outcomeOf(call, options, emit);
  // Interrupted while it ran: it stays without a result, and the thread mends it.
  if (outcome === undefined) return;
  await thread.result(call.id, outcome);
  emit({ type: 'tool-ended', call, outcome });
}

async function outcomeOf(call: ToolCall, options: CallsOptions, emit: Emit): Promise<ToolOutcome | undefined> {
  const found = toolOf(call, options);
  if (!found.ok) return failure(found.message);
  const { tool, input, asked } = found;
  const title = tool.title(input);
  const refusal = await permit({ call: asked, tool, input, title }, options, emit);
  if (options.signal.aborted) return notRun(options.signal);
  if (refusal !== undefined) {
    emit({ type: 'permission-denied', call, why: refusal });
    return failure(refusal);
  }
  emit({ type: 'tool-started', call, title });
  return run({ call: asked, tool, input }, options, emit);
}

/** The model need not wonder what a call has done that never began. */
function notRun({ reason }: AbortSignal): ToolOutcome {
  return failure(`Not run: ${typeof reason === 'string' ? reason : 'interrupted'}.`);
}

type Asked = { readonly call: ToolCall; readonly tool: AnyTool; readonly input: unknown; readonly title: string };

/** Undefined when it may run; else what the model is told. */
async function permit(
  { call, tool, input, title }: Asked,
  { thread, permissions, ask, signal }: CallsOptions,
  emit: Emit,
): Promise<string | undefined> {
  const decision = await permissions.judge(call, tool, input, skillGrants(thread.transcript));
  if (decision.type === 'allow') return undefined;
  if (decision.type === 'deny') return `Not allowed: ${decision.why}.`;
  if (ask === undefined) return `Not allowed: ${decision.why}, and nobody is there to ask.`;
  const request = { call, title, why: decision.why, rules: decision.rules };
  emit({ type: 'permission-requested', request });
  const answer: PermissionAnswer = await ask(request, signal).catch(() => ({ type: 'deny' }));
  if (answer.type === 'session') permissions.allow(decision.rules);
  if (answer.type !== 'deny') return undefined;
  return answer.words === undefined || answer.words.trim() === ''
    ? 'The person declined this call.'
    : `The person declined this call and said: ${answer.words}`;
}

async function run(
  { call, tool, input }: Omit<Asked, 'title'>,
  { session, thread, signal }: CallsOptions,
  emit: Emit,
): Promise<ToolOutcome | undefined> {
  const views = thread.transcript.read(viewsFold);
  const progress = (text: string) => emit({ type: 'tool-progressed', call: call.id, text });
  try {
    const outcome = await tool.run(input, { signal, call: call.id, views, blobs: session.blobs, transcript: thread.transcript, progress });
    return signal.aborted && outcome.effects === undefined ? undefined : outcome;
  } catch (error) {
    if (signal.aborted) return undefined;
    return failure(`${call.name} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const failure = (text: string): ToolOutcome => ({ content: [{ type: 'text', text }], isError: true });
