/**
 * Checks a request before it is sent, by the rules that the Messages API refuses requests for. A call in mid-session looks
 * only at what is new: the state that the former check left stands for everything before.
 */
import type { Place } from '../transcript/records.js';
import type { ModelProfile } from './model.js';
import { checkStrings } from './check-strings.js';
import type { Problem, Report } from './problem.js';
import { checkBlock } from './validate-block.js';
import { checkMarks, placesOfMarks } from './validate-marks.js';
import { closeTurns, readMessage, startTurns, type Turns } from './validate-turns.js';
import type { MessagesBody } from './wire.js';

/** What a check leaves for the next one of a longer body. */
export type ValidationState = { readonly turns: Turns; readonly tools: MessagesBody['tools'] };

export type Validation = { readonly problems: readonly Problem[]; readonly state: ValidationState };

export type ValidateOptions = {
  /**
   * From the check of a body that this one begins with, message by message. With the same `tools` object it is of the
   * same prefix, so system and tools are not looked at again. Default: everything is checked.
   */
  readonly state?: ValidationState | undefined;
  /** Where the marks are, when that is known. Default: they are searched for, which costs O(history). */
  readonly marks?: readonly Place[] | undefined;
};

/** Source: messages-api, 2026-08-22. */
const MOST_MESSAGES = 100_000;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Every problem of a body; empty when it can be sent. */
export function validateBody(body: MessagesBody, profile: ModelProfile): readonly Problem[] {
  return validateFrom(body, profile).problems;
}

/**
 * The same check of what came since `state`. Problems of messages that were checked before are not found again, except
 * at the border: a call that is still open, a message that may not be followed by this one.
 */
export function validateFrom(body: MessagesBody, profile: ModelProfile, options: ValidateOptions = {}): Validation {
  const problems: Problem[] = [];
  const report: Report = (path, rule, message) => void problems.push({ path, rule, message });
  const before = options.state;
  // Under one prefix both stay as they are.
  if (before?.tools !== body.tools) {
    checkTools(body.tools, report);
    body.system.forEach((block, index) => checkBlock(block, { path: `system.${index}`, role: 'system' }, report));
  }
  if (profile.thinking === 'bound' && (body.thinking?.type === 'disabled' || body.thinking?.type === 'enabled')) {
    report('thinking', 'thinking-parameter', `this model only takes adaptive thinking, not "${body.thinking.type}"`);
  }
  if (body.messages.length > MOST_MESSAGES) report('messages', 'message-count', `at most ${MOST_MESSAGES} messages are allowed`);

  let turns = before?.turns ?? startTurns();
  for (let index = turns.messages; index < body.messages.length; index++) {
    const message = body.messages[index];
    if (message === undefined) continue;
    const path = `messages.${index}`;
    message.content.forEach((block, at) => checkBlock(block, { path: `${path}.content.${at}`, role: message.role }, report));
    turns = readMessage(turns, message, { path, body, profile }, report);
  }
  closeTurns(turns, report);
  checkMarks(body, options.marks ?? placesOfMarks(body), report);
  return { problems, state: { turns, tools: body.tools } };
}

function checkTools(tools: MessagesBody['tools'], report: Report): void {
  const names = new Set<string>();
  tools.forEach((tool, index) => {
    const path = `tools.${index}`;
    if (!TOOL_NAME.test(tool.name)) report(path, 'tool-name', `a tool's name matches ${TOOL_NAME.source}: ${JSON.stringify(tool.name)}`);
    if (names.has(tool.name)) report(path, 'tool-unique', `the name ${tool.name} is given twice`);
    names.add(tool.name);
    checkStrings(tool, path, report);
  });
}
