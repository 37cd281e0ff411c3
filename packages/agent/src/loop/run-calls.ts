/** Runs the calls of one answer: checked, judged, asked for, run; each result is stored as it ends. */
import { setMaxListeners } from 'node:events';
import { messageOf, viewsFold, type ToolCall, type ToolOutcome } from '@sidenote/engine';
import type { HookPermission } from '@sidenote/node';
import { Channel } from './channel.js';
import type { TurnOptions } from './agent.js';
import type { AgentEvent } from './events.js';
import { afterCall, beforeCall } from './call-hooks.js';
import { toolOf, type FoundTool } from './find-tool.js';
import type { ToolContext } from '../tools/tool.js';
import { permit } from './permit.js';

export type CallsOptions = Pick<TurnOptions, 'session' | 'thread' | 'tools' | 'laterTools' | 'permissions' | 'ask' | 'hooks'> & {
  readonly signal: AbortSignal;
};

/** Calls that run side by side at most: each may start processes of its own, and a model may send hundreds at once. */
const SIDE_BY_SIDE = 8;

/**
 * Calls of a step run side by side when each of them only reads; else one after the other, in call order. Rejects when a
 * result can't be stored: then the others are stopped, and nothing runs any more.
 */
export async function* runCalls(calls: readonly ToolCall[], options: CallsOptions): AsyncGenerator<AgentEvent, void, void> {
  const events = new Channel<AgentEvent>();
  let isStopped = false;
  const emit = (event: AgentEvent): void => {
    if (event.type === 'turn-stopped') isStopped = true;
    events.push(event);
  };
  const failing = new AbortController();
  const signal = AbortSignal.any([options.signal, failing.signal]);
  // Every call and its processes may listen.
  setMaxListeners(0, signal);
  const run = (call: ToolCall) => runCall(call, { ...options, signal, emit, isStopped: () => isStopped });
  const onlyReads = calls.every((call) => onlyReading(call, options));
  const waiting = calls.values();
  const lane = async (): Promise<void> => {
    for (const call of waiting) await run(call);
  };
  const lanes = Array.from({ length: onlyReads ? SIDE_BY_SIDE : 1 }, () =>
    lane().catch((error: unknown) => {
      failing.abort('a result could not be stored');
      throw error;
    }),
  );
  const done = Promise.allSettled(lanes).finally(() => events.end());
  yield* events;
  for (const ended of await done) if (ended.status === 'rejected') throw ended.reason;
}

/** What can't run changes nothing. */
function onlyReading(call: ToolCall, options: CallsOptions): boolean {
  const found = toolOf(call, options);
  return !found.ok || found.tool.access === 'read';
}

type RunningOptions = CallsOptions & {
  readonly emit: (event: AgentEvent) => void;
  /** Whether a hook has ended the turn. */
  readonly isStopped: () => boolean;
};

async function runCall(call: ToolCall, options: RunningOptions): Promise<void> {
  const { thread, signal, emit } = options;
  const outcome = signal.aborted ? notRun(signal) : options.isStopped() ? failure(STOPPED) : await outcomeOf(call, options);
  // Interrupted while it ran: it stays without a result, and the thread mends it.
  if (outcome === undefined) return;
  await thread.result(call.id, outcome);
  emit({ type: 'tool-ended', call, outcome });
}

const CHANGED = {
  type: 'text',
  text: 'The person changed the text before accepting it: what was written is theirs. Read it before you go on with it.',
} as const;
const STOPPED = 'Not run: a hook ended the turn.';

async function outcomeOf(call: ToolCall, options: RunningOptions): Promise<ToolOutcome | undefined> {
  const { emit, signal } = options;
  const found = toolOf(call, options);
  if (!found.ok) return failure(found.message);
  const before = await beforeCall({ call, asked: found.asked }, options, emit);
  if (signal.aborted) return notRun(signal);
  if (before.isStopped) return failure(STOPPED);
  const wanted = before.input === undefined ? found : changed(found, before.input, 'A hook');
  if (!wanted.ok) return failure(wanted.message);
  const final = await permittedCall(wanted, before.permission, options);
  if (signal.aborted) return notRun(signal);
  if (!final.ok) {
    const { why, rules = [] } = final;
    if (final.isDenied) emit({ type: 'permission-denied', call, why, ...(rules.length === 0 ? {} : { rules }) });
    return failure(final.why);
  }
  const { found: last, byPerson } = final;
  emit({ type: 'tool-started', call, title: last.tool.title(last.input) });
  const ran = await run(last, { ...options, isChanged: last.input !== found.input });
  const outcome = ran !== undefined && byPerson ? { ...ran, content: [...ran.content, CHANGED] } : ran;
  return outcome === undefined ? undefined : afterCall({ call, asked: last.asked }, outcome, options);
}

type PermittedCall =
  | { readonly ok: true; readonly found: Known; readonly byPerson: boolean }
  | { readonly ok: false; readonly why: string; readonly rules?: readonly string[]; readonly isDenied: boolean };

/** The call as it may run. What a hook puts in its place is held to the rules like the call itself; what the person puts there is theirs. */
async function permittedCall(found: Known, byHook: HookPermission | undefined, options: RunningOptions): Promise<PermittedCall> {
  const { asked, tool, input } = found;
  const permitted = await permit({ call: asked, tool, input, title: tool.title(input) }, { ...options, byHook });
  if (!permitted.ok) return { ...permitted, isDenied: true };
  if (permitted.changed === undefined) return { ok: true, found, byPerson: false };
  const { by } = permitted.changed;
  const other = changed(found, permitted.changed.input, by === 'person' ? 'The person' : 'A hook');
  if (!other.ok) return { ok: false, why: other.message, isDenied: false };
  return by === 'person' ? { ok: true, found: other, byPerson: true } : permittedCall(other, by, options);
}

type Known = Extract<FoundTool, { readonly ok: true }>;

/** The call with the input that someone else wants; it has to be one that the tool takes. */
function changed(found: Known, input: unknown, who: 'A hook' | 'The person'): FoundTool {
  const parsed = found.tool.parse(input);
  if (!parsed.ok) return { ok: false, message: `${who} has changed the input of this call: ${parsed.message}` };
  return { ...found, input: parsed.input, asked: { ...found.asked, input } };
}

/** The model need not wonder what a call has done that never began. */
function notRun({ reason }: AbortSignal): ToolOutcome {
  return failure(`Not run: ${typeof reason === 'string' ? reason : 'interrupted'}.`);
}

async function run(
  { asked: call, tool, input }: Known,
  { session, thread, signal, emit, isChanged }: RunningOptions & Pick<ToolContext, 'isChanged'>,
): Promise<ToolOutcome | undefined> {
  const views = thread.transcript.read(viewsFold);
  const progress = (text: string) => emit({ type: 'tool-progressed', call: call.id, text });
  try {
    const outcome = await tool.run(input, {
      signal,
      call: call.id,
      views,
      blobs: session.blobs,
      transcript: thread.transcript,
      progress,
      thread: thread.id,
      report: emit,
      isChanged,
      denied: (why) => emit({ type: 'permission-denied', call, why }),
    });
    return signal.aborted && outcome.effects === undefined ? undefined : outcome;
  } catch (error) {
    if (signal.aborted) return undefined;
    return failure(`${call.name} failed: ${messageOf(error)}`);
  }
}

const failure = (text: string): ToolOutcome => ({ content: [{ type: 'text', text }], isError: true });
