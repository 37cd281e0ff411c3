import { expect, test } from 'vitest';
import { matcherOf } from './matcher.js';

test.each([
  [undefined, 'Bash', true],
  ['', 'Bash', true],
  ['*', undefined, true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['bash', 'Bash', false],
  ['Edit|Write', 'Write', true],
  ['Edit, Write', 'Write', true],
  ['Edit|Write', 'NotebookEdit', false],
  ['Edit.*', 'NotebookEdit', true],
  ['^Edit', 'NotebookEdit', false],
  ['mcp__memory', 'mcp__memory__read', false],
  ['mcp__memory__.*', 'mcp__memory__read', true],
  ['my-agent', 'my-agent', true],
  ['my-agent', 'my-agents', false],
  ['Task', 'Agent', true],
  ['^Task$', 'Agent', true],
  ['Agent', 'Task', false],
  ['Bash', undefined, false],
  ['.*', undefined, false],
])('%j against %j: %s', (matcher, subject, expected) => {
  const read = matcherOf(matcher);
  expect(read.ok && read.matches(subject)).toBe(expected);
});

test('what is no regular expression is said, not thrown', () => {
  expect(matcherOf('Bash(')).toMatchObject({ ok: false, why: expect.stringContaining('Bash(') });
});
