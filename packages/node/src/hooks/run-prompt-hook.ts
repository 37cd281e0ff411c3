/** A hook that a model judges, at once or after a look around: its answer is read as a command's exit status would be. */
import { isObject, leadingObject } from './json.js';
import type { Handler } from './read-handler.js';
import type { HookRun, RunOptions } from './run-command-hook.js';
import { untilStopped } from './until-stopped.js';

export type HookQuestion = {
  /** With the event in it. */
  readonly rule: string;
  /** As the hook names it; undefined: the usual one. */
  readonly model: string | undefined;
  /** Absolute: where it happens. */
  readonly cwd: string;
};

/** Asks a model. May reject. */
export type HookJudge = (question: HookQuestion, signal: AbortSignal) => Promise<string>;

/** Characters of an event that are sent. */
const MOST = 40_000;

/** Never rejects. No answer that can be read decides nothing. */
export async function runPromptHook({
  handler,
  input,
  cwd,
  signal,
  judge,
}: Pick<RunOptions, 'input' | 'cwd' | 'signal'> & {
  readonly handler: Handler & { readonly type: 'prompt' | 'agent' };
  readonly judge: HookJudge | undefined;
}): Promise<HookRun> {
  if (judge === undefined) return { type: 'failed', why: 'no model is there to judge it' };
  const question = { rule: ruleWith(handler.prompt, input), model: handler.model, cwd };
  return untilStopped({ limitMs: handler.limitMs, signal }, async (stop) => verdictIn(await judge(question, stop)));
}

/** `$ARGUMENTS` is the event; a rule that does not say where it stands has it at its end. */
function ruleWith(prompt: string, input: string): string {
  const event = input.length > MOST ? `${input.slice(0, MOST).toWellFormed()} … (${input.length} characters in all)` : input;
  return prompt.includes('$ARGUMENTS') ? prompt.replaceAll('$ARGUMENTS', () => event) : `${prompt}\n\n${event}`;
}

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const CONTROL = /[\u0000-\u001f]+/g;

/** `{"ok": true}`, or `{"ok": false, "reason": …}`, in whichever order and whatever stands around it. */
function verdictIn(answer: string): HookRun {
  const start = answer.search(/\{[^{}]*"ok"\s*:/);
  // Models break lines inside of a text, where JSON may not.
  const found = start < 0 ? undefined : leadingObject(answer.slice(start).replaceAll(CONTROL, ' ').trim());
  const value = found?.type === 'object' && isObject(found.value) ? found.value : {};
  const { ok, reason } = value;
  const ended = { type: 'ended', stdout: '', cut: false } as const;
  if (ok === true) return { ...ended, exit: 0, stderr: '' };
  if (ok === false) return { ...ended, exit: 2, stderr: typeof reason === 'string' ? reason : '' };
  return { type: 'failed', why: 'the model answered neither {"ok": true} nor {"ok": false, "reason": …}' };
}
