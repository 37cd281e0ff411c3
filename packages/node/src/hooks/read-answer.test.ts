import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HookEventName } from './events.js';
import { HOOK_EVENTS } from './events.js';
import { readAnswer } from './read-answer.js';

const ended = (stdout: string, more: { exit?: number; stderr?: string } = {}) =>
  ({ type: 'ended', exit: 0, stderr: '', cut: false, stdout, ...more }) as const;
const says = (event: HookEventName, stdout: unknown, more = {}) =>
  readAnswer(event, ended(typeof stdout === 'string' ? stdout : JSON.stringify(stdout), more), { limitMs: 1_000, failsClosed: false });
const warnings = ({ notes }: ReturnType<typeof says>) => notes.filter(({ level }) => level === 'warning').map(({ text }) => text);
const context = (event: string, text = 'MORE') => ({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });

describe('exit status', () => {
  test.each<[HookEventName, object]>([
    ['PreToolUse', { permission: { type: 'deny', reason: 'no' } }],
    ['PermissionRequest', { permission: { type: 'deny', reason: 'no' } }],
    ['UserPromptSubmit', { block: 'no' }],
    ['PostToolUse', { block: 'no' }],
    ['Stop', { block: 'no' }],
    ['SubagentStop', { block: 'no' }],
    ['PreCompact', { block: 'no' }],
  ])('2 of %s objects with what stands on standard error', (event, expected) => {
    const answer = says(event, context(event), { exit: 2, stderr: 'no\n' });
    expect(answer).toMatchObject({ ...expected, texts: [], notes: [] });
  });

  test.each<HookEventName>(['SessionStart', 'SessionEnd', 'Notification', 'InstructionsLoaded', 'PostCompact', 'SubagentStart'])(
    '2 of %s blocks nothing, and a person is told',
    (event) => {
      const answer = says(event, '', { exit: 2, stderr: 'no' });
      expect(answer).not.toHaveProperty('block');
      expect(warnings(answer)).toEqual(['objects, which blocks nothing here: no']);
    },
  );

  test('any other is a failure that stops nothing', () => {
    expect(says('UserPromptSubmit', 'text', { exit: 1, stderr: '\u001b[31mred\n  lines' })).toEqual({
      texts: [],
      notes: [{ level: 'warning', text: 'failed with status 1: red lines' }],
    });
  });
});

describe('plain text', () => {
  test.each<HookEventName>(['SessionStart', 'UserPromptSubmit'])('of %s is told', (event) => {
    expect(says(event, ' text\u001b[0m\u0000 \n')).toEqual({ texts: [{ kind: 'hook_success', text: 'text' }], notes: [] });
  });

  test('of other events is for those who want to see everything', () => {
    expect(says('PostToolUse', 'done')).toEqual({ texts: [], notes: [{ level: 'info', text: 'said: done' }] });
  });

  test('before JSON hides the JSON, and that is said', () => {
    expect(warnings(says('PostToolUse', `log\n${JSON.stringify(context('PostToolUse'))}`))).toEqual([
      expect.stringContaining('before its JSON'),
    ]);
  });
});

describe('JSON', () => {
  test('adds context where the event takes it', () => {
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop'] as const)
      expect(says(event, context(event))).toEqual({ texts: [{ kind: 'hook_additional_context', text: 'MORE' }], notes: [] });
    expect(warnings(says('SessionEnd', context('SessionEnd')))).toEqual(['wrote "additionalContext", which has no effect for SessionEnd']);
  });

  test('followed by a log line is used, and the line is not lost', () => {
    const answer = says('UserPromptSubmit', `${JSON.stringify(context('UserPromptSubmit', 'a } in "it'))}\na log line`);
    expect(answer.texts.map(({ text }) => text)).toEqual(['a } in "it', 'a log line']);
    expect(warnings(answer)).toEqual(['wrote text behind its JSON: a log line']);
  });

  test('that does not parse is reported, and is text where text counts', () => {
    expect(says('UserPromptSubmit', '{not json')).toMatchObject({ texts: [{ text: '{not json' }], notes: [{ level: 'warning' }] });
    expect(says('Stop', '{"decision": "block"')).toMatchObject({
      texts: [],
      notes: [{ text: expect.stringContaining('it has no effect') }],
    });
  });

  test.each<[string, HookEventName, object, object, string[]]>([
    [
      'a key at the wrong place',
      'UserPromptSubmit',
      { additionalContext: 'TOP' },
      { texts: [{ text: 'TOP' }] },
      ['belongs into "hookSpecificOutput"'],
    ],
    ['a permission at the wrong place', 'PreToolUse', { permissionDecision: 'deny' }, { permission: { type: 'deny' } }, ['belongs into']],
    ['a misspelt key', 'Stop', { decison: 'block' }, { texts: [] }, ['did it mean "decision"?']],
    ['a misspelt event', 'PostToolUse', context('PostToolUsed'), { texts: [{ text: 'MORE' }] }, ['is no event; what it wrote is used']],
    ['another event', 'PostToolUse', context('Stop'), { texts: [] }, ['for Stop, which has no effect for PostToolUse']],
    ['a context that is no text', 'Stop', context('Stop', 3 as never), { texts: [] }, ['no string']],
    ['an unknown decision', 'Stop', { decision: 'maybe' }, { texts: [] }, ['which is none']],
    ['an unknown permission', 'PreToolUse', { hookSpecificOutput: { permissionDecision: 'yes' } }, { texts: [] }, ['are known']],
    ['an input for an event without one', 'PostToolUse', { hookSpecificOutput: { updatedInput: {} } }, { texts: [] }, ['has no effect']],
  ])('%s is told to the person, and used where it is evident', (_what, event, output, expected, words) => {
    const answer = says(event, output);
    expect(answer).toMatchObject(expected);
    expect(warnings(answer)).toEqual(words.map((word) => expect.stringContaining(word)));
  });

  test('decides, changes and stops', () => {
    const inner = { permissionDecision: 'ask', permissionDecisionReason: 'sure?', updatedInput: { command: 'ls' } };
    expect(says('PreToolUse', { hookSpecificOutput: { hookEventName: 'PreToolUse', ...inner } })).toEqual({
      texts: [],
      notes: [],
      permission: { type: 'ask', reason: 'sure?' },
      input: { command: 'ls' },
    });
    expect(says('PreToolUse', { decision: 'approve', reason: 'old' })).toMatchObject({ permission: { type: 'allow', reason: 'old' } });
    expect(says('PreToolUse', { decision: 'block', reason: 'old' })).toMatchObject({ permission: { type: 'deny', reason: 'old' } });
    expect(says('PostToolUse', { hookSpecificOutput: { updatedToolOutput: 'less' } })).toMatchObject({ output: 'less', notes: [] });
    expect(says('Stop', { continue: false, stopReason: 'enough' })).toMatchObject({ stop: 'enough' });
    const asked = { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'never' } };
    expect(says('PermissionRequest', { hookSpecificOutput: asked })).toMatchObject({ permission: { type: 'deny', reason: 'never' } });
    expect(warnings(says('Stop', { systemMessage: 'look' }))).toEqual(['says: look']);
  });
});

test('whatever a hook writes, nothing is thrown, and nothing is dropped in silence', () => {
  const json = fc.jsonValue().map((value) => JSON.stringify(value));
  const output = fc.oneof(
    fc.string(),
    json,
    json.map((text) => `${text}\nlog`),
    json.map((text) => `{"hookSpecificOutput":${text}}`),
  );
  fc.assert(
    fc.property(fc.constantFrom(...HOOK_EVENTS), output, fc.constantFrom(0, 1, 2), (event, stdout, exit) => {
      const answer = says(event, stdout, { exit });
      const { texts, notes, ...effects } = answer;
      const isEmpty = /^[\s\p{C}]*$/u.test(stdout) || /^\s*\{\s*(?:"hookSpecificOutput":\s*\{\s*\}\s*)?\}\s*$/.test(stdout);
      if (!isEmpty && exit === 0) expect(texts.length + notes.length + Object.keys(effects).length).toBeGreaterThan(0);
      expect(notes.every(({ text }) => !text.includes('\n'))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
