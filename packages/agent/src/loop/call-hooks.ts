/** The hooks around one call: before it runs, when a person would be asked, and when it has run. */
import type { Content, Json, ToolCall, ToolOutcome } from '@sidenote/engine';
import type { HookOutcome, HookPermission } from '@sidenote/node';
import type { TurnOptions } from './agent.js';
import type { AgentEvent } from './events.js';
import { areLive, asJson, runHooks, tellBlocks, tellTexts } from './hooks.js';

type CallOptions = Pick<TurnOptions, 'hooks' | 'thread'> & { readonly signal: AbortSignal };
/** `call`: as the model made it. `asked`: the tool and input that run, which are others where one tool stands for another. */
type AskedCall = { readonly call: ToolCall; readonly asked: ToolCall };
type Emit = (event: AgentEvent) => void;

export type BeforeCall = {
  readonly permission?: HookPermission;
  /** What the tool is to be called with instead. */
  readonly input?: unknown;
  /** A hook ends the turn: the call does not run. */
  readonly isStopped: boolean;
};

/** What hooks add is told inside the result of the call, whether it runs or not. */
export async function beforeCall({ call, asked }: AskedCall, options: CallOptions, emit: Emit): Promise<BeforeCall> {
  const { hooks, thread, signal } = options;
  if (!areLive(hooks)) return { isStopped: false };
  const outcome = await runHooks(hooks, { event: 'PreToolUse', subject: asked.name, fields: fieldsOf(asked) }, { signal, emit });
  tellTexts(thread, outcome, call.id);
  const { permission, input } = outcome;
  if (permission?.type === 'defer') emit({ type: 'turn-stopped', by: deferred(permission) });
  return {
    isStopped: isStopped(outcome, call, options, emit) || permission?.type === 'defer',
    ...(permission === undefined ? {} : { permission }),
    ...(input === undefined ? {} : { input }),
  };
}

const fieldsOf = ({ id, name, input }: ToolCall) => ({ tool_name: name, tool_input: asJson(input), tool_use_id: id });

const deferred = ({ hook, reason }: HookPermission) => ({
  event: 'PreToolUse',
  hook,
  text: reason === '' ? 'it puts a call off, to be decided outside' : `it puts a call off: ${reason}`,
});

function isStopped({ stop }: HookOutcome, call: ToolCall, { thread }: CallOptions, emit: Emit): boolean {
  if (stop === undefined) return false;
  thread.attach('hook_stopped', stop, call.id);
  emit({ type: 'turn-stopped', by: stop });
  return true;
}

/** Instead of a person, or before one is asked. */
export async function answerByHook(
  asked: ToolCall,
  { hooks, signal }: CallOptions,
  emit: Emit,
): Promise<{ readonly permission?: HookPermission; readonly input?: unknown }> {
  if (!areLive(hooks)) return {};
  const { permission, input } = await runHooks(
    hooks,
    { event: 'PermissionRequest', subject: asked.name, fields: fieldsOf(asked) },
    { signal, emit },
  );
  return { ...(permission === undefined ? {} : { permission }), ...(input === undefined ? {} : { input }) };
}

/** A person will be asked: whoever wants to be called hears of it. */
export function postQuestion({ hooks }: Pick<TurnOptions, 'hooks'>, title: string): void {
  const type = 'permission_prompt';
  hooks?.post({ event: 'Notification', subject: type, fields: { message: `Asks to run: ${title}`, notification_type: type } });
}

/** The outcome as it goes to the model: a hook may have another one sent. */
export async function afterCall(
  { call, asked }: AskedCall,
  outcome: ToolOutcome,
  options: CallOptions & { readonly emit: Emit },
): Promise<ToolOutcome> {
  const { hooks, thread, signal, emit } = options;
  if (!areLive(hooks) || signal.aborted) return outcome;
  const subject = asked.name;
  const fields = fieldsOf(asked);
  const said = await runHooks(
    hooks,
    outcome.isError === true
      ? { event: 'PostToolUseFailure', subject, fields: { ...fields, error: textOf(outcome.content), is_interrupt: false } }
      : { event: 'PostToolUse', subject, fields: { ...fields, tool_response: { content: shown(outcome.content) } } },
    { signal, emit },
  );
  tellTexts(thread, said, call.id);
  tellBlocks(thread, said, call.id);
  isStopped(said, call, options, emit);
  return said.output === undefined ? outcome : replaced(outcome, said.output);
}

const textOf = (content: readonly Content[]): string => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** Pictures by their type: a hook reads JSON, not megabytes. */
const shown = (content: readonly Content[]) =>
  content.map((block) => (block.type === 'text' ? { type: block.type, text: block.text } : { type: block.type }));

/** What is not shown was not seen; what it did to files stays. */
function replaced(outcome: ToolOutcome, output: Json): ToolOutcome {
  const effects = outcome.effects?.map((effect) =>
    effect.type === 'viewed' ? { type: 'touched' as const, path: effect.view.path } : effect,
  );
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { ...outcome, content: [{ type: 'text', text }], ...(effects === undefined ? {} : { effects }) };
}
