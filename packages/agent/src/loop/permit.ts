/** Whether a call may run: what hooks say, what the rules say, and what a person says. */
import type { ToolCall } from '@sidenote/engine';
import type { HookPermission } from '@sidenote/node';
import type { PermissionAnswer } from '../permissions/ask.js';
import type { Decision } from '../permissions/contract.js';
import type { AnyTool } from '../tools/tool.js';
import type { TurnOptions } from './agent.js';
import { answerByHook, postQuestion } from './call-hooks.js';
import type { AgentEvent } from './events.js';
import { skillGrants } from './skill-grants.js';

export type Asked = { readonly call: ToolCall; readonly tool: AnyTool; readonly input: unknown; readonly title: string };

export type PermitOptions = Pick<TurnOptions, 'permissions' | 'ask' | 'hooks' | 'thread'> & {
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** Of the hooks that ran before the call. */
  readonly byHook: HookPermission | undefined;
};

/**
 * `why` is what the model is told. `changed`: the hook that allows it, or the person, wants another input, which is not checked
 * yet, and which no rule has seen.
 */
export type Permitted =
  | { readonly ok: true; readonly changed?: { readonly input: unknown; readonly by: HookPermission | 'person' } }
  | { readonly ok: false; readonly why: string; readonly rules?: readonly string[] };

const YES: Permitted = { ok: true };

/** A hook may allow what would be asked for; what a rule forbids, or wants the person to be asked about, it can't. */
export async function permit(asked: Asked, options: PermitOptions): Promise<Permitted> {
  const { thread, permissions, byHook } = options;
  if (byHook?.type === 'deny') return { ok: false, why: byHookText(byHook) };
  const judged = await permissions.judge(asked.call, asked.tool, asked.input, skillGrants(thread.transcript));
  const decision = askedByHook(judged, byHook);
  if (decision.type === 'allow') return YES;
  if (decision.type === 'deny') return { ok: false, why: `Not allowed: ${decision.why}.` };
  if (byHook?.type === 'allow' && decision.byRule !== true) return YES;
  const answer = await answerOf(asked, decision, options);
  if (!answer.ok) return answer;
  // The mode may be another one since it was asked: a yes is no way around what is forbidden by now.
  const now = await permissions.judge(asked.call, asked.tool, asked.input, skillGrants(thread.transcript));
  return now.type === 'deny' ? { ok: false, why: `Not allowed: ${now.why}.` } : answer;
}

type Question = Extract<Decision, { readonly type: 'ask' }>;

/** Of a hook where one answers and may, else of the person. */
async function answerOf(asked: Asked, decision: Question, options: PermitOptions): Promise<Permitted> {
  const { permission, input } = await answerByHook(asked.call, options, options.emit);
  if (permission?.type === 'deny') return { ok: false, why: byHookText(permission) };
  if (permission?.type === 'allow' && decision.byRule !== true)
    return input === undefined ? YES : { ok: true, changed: { input, by: permission } };
  return askPerson(asked, decision, options);
}

const byHookText = ({ hook, reason }: HookPermission): string =>
  reason === '' ? `Not allowed: the hook ${hook} refuses it.` : `Not allowed: the hook ${hook} refuses it: ${reason}`;

function askedByHook(decision: Decision, byHook: HookPermission | undefined): Decision {
  if (byHook?.type !== 'ask' || decision.type !== 'allow') return decision;
  return { type: 'ask', why: byHook.reason === '' ? `the hook ${byHook.hook} asks for it` : byHook.reason, rules: [], byRule: true };
}

async function askPerson({ call, title }: Asked, decision: Question, options: PermitOptions): Promise<Permitted> {
  const { permissions, ask, signal, emit } = options;
  if (ask === undefined)
    return {
      ok: false,
      why: `Not allowed: ${decision.why}, and nobody is there to ask.`,
      rules: decision.byRule === true ? [] : decision.rules,
    };
  const request = { call, title, why: decision.why, rules: decision.rules };
  emit({ type: 'permission-requested', request });
  postQuestion(options, title);
  const answer: PermissionAnswer = await ask(request, signal).catch(() => ({ type: 'deny' }));
  if (answer.type === 'session') permissions.allow(decision.rules);
  if (answer.type === 'once' && answer.input !== undefined) return { ok: true, changed: { input: answer.input, by: 'person' } };
  if (answer.type !== 'deny') return YES;
  const words = answer.words?.trim() ?? '';
  return { ok: false, why: words === '' ? 'The person declined this call.' : `The person declined this call and said: ${answer.words}` };
}
