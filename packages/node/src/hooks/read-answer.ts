/** What one hook says: its exit status and its output, by the rules of its event. Nothing that it says is dropped in silence. */
import type { Json } from '@sidenote/engine';
import { nearest } from '../settings/nearest.js';
import type { HookNote, HookPermission, HookTextKind } from './contract.js';
import { EVENT_RULES, isHookEvent, type HookEventName } from './events.js';
import { isObject, leadingObject, type JsonObject } from './json.js';
import { plainText } from './plain-text.js';
import type { Handler } from './read-handler.js';
import { KEPT_TEXT, type HookRun } from './run-command-hook.js';

/** Texts are whole, notes without the hook's name. */
export type HookAnswer = {
  readonly texts: { readonly kind: HookTextKind; readonly text: string }[];
  readonly notes: HookNote[];
  block?: string;
  stop?: string;
  permission?: Pick<HookPermission, 'type' | 'reason'>;
  input?: JsonObject;
  output?: Json;
};

/** A person reads this much of what a hook complains of. */
const SHOWN = 300;
const NO_REASON = 'it gave no reason';

/** Of a handler that fails closed, anything but a good end is an objection. */
export function readAnswer(
  event: HookEventName,
  run: HookRun,
  { limitMs, failsClosed }: Pick<Handler, 'limitMs' | 'failsClosed'>,
): HookAnswer {
  const answer: HookAnswer = { texts: [], notes: [] };
  const warn = (text: string): void => void answer.notes.push({ level: 'warning', text });
  const fail = (text: string): void => {
    warn(text);
    if (failsClosed) object(event, `what should have looked at this ${text}`, answer);
  };
  switch (run.type) {
    case 'aborted':
      return answer;
    case 'timed-out':
      fail(`took longer than ${limitMs / 1_000} s and was left behind; what it would have said does not count`);
      return answer;
    case 'failed':
      fail(`failed: ${shown(run.why)}`);
      return answer;
    case 'ended':
      break;
  }
  if (run.cut) warn(`wrote more than ${KEPT_TEXT}; the rest was not read`);
  if (run.exit === 2) object(event, plainText(run.stderr).trim() || NO_REASON, answer);
  else if (run.exit !== 0) fail(`failed with status ${run.exit}: ${shown(run.stderr || run.stdout) || 'it said nothing'}`);
  else if (!readOutput(event, run.stdout.trim(), answer) && failsClosed)
    object(event, 'what should have looked at this gave an answer that can’t be read', answer);
  return answer;
}

/** Exit status 2, and `decision: "block"`. */
function object(event: HookEventName, reason: string, answer: HookAnswer): void {
  const { objection } = EVENT_RULES[event];
  if (objection === 'denies') answer.permission = { type: 'deny', reason };
  else if (objection === 'blocks') answer.block = reason;
  else answer.notes.push({ level: 'warning', text: `objects, which blocks nothing here: ${shown(reason)}` });
}

/** False: it was meant to decide something, and nobody knows what. */
function readOutput(event: HookEventName, stdout: string, answer: HookAnswer): boolean {
  if (stdout === '') return true;
  if (!stdout.startsWith('{')) return readPlain(event, stdout, answer);
  const found = leadingObject(stdout);
  if (found.type === 'malformed') {
    const effect = EVENT_RULES[event].plain ? 'it counts as plain text' : 'it has no effect';
    answer.notes.push({ level: 'warning', text: `begins its output like JSON, but it is not (${found.why}): ${effect}` });
    if (EVENT_RULES[event].plain) tell(answer, 'hook_success', stdout);
    return false;
  }
  readObject(event, found.value, answer);
  if (found.rest === '') return true;
  answer.notes.push({ level: 'warning', text: `wrote text behind its JSON: ${shown(found.rest)}` });
  if (EVENT_RULES[event].plain) tell(answer, 'hook_success', found.rest);
  return true;
}

/** False where JSON stands behind the text. */
function readPlain(event: HookEventName, text: string, answer: HookAnswer): boolean {
  const isBefore = !EVENT_RULES[event].plain && /^\s*\{/m.test(text);
  if (EVENT_RULES[event].plain) tell(answer, 'hook_success', text);
  else if (isBefore)
    answer.notes.push({ level: 'warning', text: 'wrote text before its JSON, so that the JSON has no effect: print the JSON alone' });
  else answer.notes.push({ level: 'info', text: `said: ${shown(text)}` });
  return !isBefore;
}

/** Keys at the top, with what stands there. Those of the second list belong into `hookSpecificOutput`. */
const TOP = ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'terminalSequence', 'decision', 'reason', 'hookSpecificOutput'];
const SPECIFIC = [
  'hookEventName',
  'additionalContext',
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'updatedToolOutput',
  'updatedMCPToolOutput',
  'decision',
];

function readObject(event: HookEventName, value: JsonObject, answer: HookAnswer): void {
  const warn = (text: string): void => void answer.notes.push({ level: 'warning', text });
  for (const key of Object.keys(value))
    if (!TOP.includes(key) && SPECIFIC.includes(key))
      warn(`wrote "${key}" at the top of its JSON: it belongs into "hookSpecificOutput", and is used all the same`);
  warnUnread(Object.keys(value), [...TOP, ...SPECIFIC], warn);
  const { hookSpecificOutput: inner, decision, reason, systemMessage, stopReason } = value;
  const specific = { ...only(value, SPECIFIC.slice(1, -1)), ...(isObject(inner) ? readSpecific(event, inner, warn) : {}) };
  if (inner !== undefined && !isObject(inner)) warn('wrote a "hookSpecificOutput" that is no object');
  const says = (text: Json | undefined, otherwise: string): string =>
    typeof text === 'string' && text.trim() !== '' ? plainText(text).trim() : otherwise;
  if (typeof systemMessage === 'string' && systemMessage.trim() !== '') warn(`says: ${shown(systemMessage, 2_000)}`);
  if (value['continue'] === false) answer.stop = says(stopReason, NO_REASON);
  if (decision === 'block') object(event, says(reason, NO_REASON), answer);
  else if (decision === 'approve' && event === 'PreToolUse') answer.permission = { type: 'allow', reason: says(reason, '') };
  else if (decision !== undefined && decision !== 'approve')
    warn(`wrote the decision ${shown(JSON.stringify(decision))}, which is none: "block" is`);
  applySpecific(event, specific, answer);
}

const only = (value: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));

/** Many at once are no misspelling, and one line is enough for them. */
function warnUnread(keys: readonly string[], known: readonly string[], warn: (text: string) => void): void {
  const unread = keys.filter((key) => !known.includes(key));
  if (unread.length > 2) return warn(`wrote ${unread.length} keys that nothing reads: ${shown(unread.join(', '))}`);
  for (const key of unread) {
    const near = nearest(key, known);
    warn(`wrote the key "${shown(key)}", which nothing reads${near === undefined ? '' : `; did it mean "${near}"?`}`);
  }
}

/** The part for one event. One that names another event is for that, and has no effect here. */
function readSpecific(event: HookEventName, inner: JsonObject, warn: (text: string) => void): JsonObject {
  const { hookEventName: name } = inner;
  if (typeof name === 'string' && name !== event) {
    if (isHookEvent(name)) {
      warn(`wrote a "hookSpecificOutput" for ${name}, which has no effect for ${event}`);
      return {};
    }
    warn(`wrote "hookEventName": "${shown(name)}", which is no event; what it wrote is used for ${event}`);
  }
  warnUnread(Object.keys(inner), SPECIFIC, warn);
  return inner;
}

function applySpecific(event: HookEventName, specific: JsonObject, answer: HookAnswer): void {
  const warn = (text: string): void => void answer.notes.push({ level: 'warning', text });
  const noEffect = (key: string): void => warn(`wrote "${key}", which has no effect for ${event}`);
  const { additionalContext, updatedInput, permissionDecision, permissionDecisionReason, decision } = specific;
  if (additionalContext !== undefined) {
    if (typeof additionalContext !== 'string') warn('wrote an "additionalContext" that is no string');
    else if (!EVENT_RULES[event].context) noEffect('additionalContext');
    else tell(answer, 'hook_additional_context', additionalContext);
  }
  if (permissionDecision !== undefined) {
    const reason = typeof permissionDecisionReason === 'string' ? plainText(permissionDecisionReason).trim() : '';
    const type = (['allow', 'ask', 'defer', 'deny'] as const).find((one) => one === permissionDecision);
    if (event !== 'PreToolUse') noEffect('permissionDecision');
    else if (type === undefined)
      warn(`wrote the permissionDecision ${shown(JSON.stringify(permissionDecision))}: allow, ask, defer and deny are known`);
    else answer.permission = { type, reason };
  }
  if (updatedInput !== undefined) {
    if (event !== 'PreToolUse') noEffect('updatedInput');
    else if (isObject(updatedInput)) answer.input = updatedInput;
    else warn('wrote an "updatedInput" that is no object');
  }
  const output = specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput'];
  if (output !== undefined) {
    if (event === 'PostToolUse') answer.output = output;
    else noEffect('updatedToolOutput');
  }
  if (decision !== undefined) readDecision(event, decision, answer);
}

/** Of PermissionRequest: `{behavior: allow | deny, message?, updatedInput?}`. */
function readDecision(event: HookEventName, decision: Json, answer: HookAnswer): void {
  const warn = (text: string): void => void answer.notes.push({ level: 'warning', text });
  if (event !== 'PermissionRequest') return warn(`wrote "hookSpecificOutput.decision", which has no effect for ${event}`);
  const { behavior, message, updatedInput } = isObject(decision)
    ? decision
    : { behavior: undefined, message: undefined, updatedInput: undefined };
  if (behavior !== 'allow' && behavior !== 'deny') return warn('wrote a "decision" without "behavior": "allow" or "deny"');
  answer.permission = { type: behavior, reason: typeof message === 'string' ? plainText(message).trim() : '' };
  if (behavior === 'allow' && isObject(updatedInput)) answer.input = updatedInput;
}

function tell(answer: HookAnswer, kind: HookTextKind, text: string): void {
  const plain = plainText(text).trim();
  if (plain !== '') answer.texts.push({ kind, text: plain });
}

/** One line of it. */
function shown(text: string, length = SHOWN): string {
  const line = plainText(text).trim().replaceAll(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;
}
