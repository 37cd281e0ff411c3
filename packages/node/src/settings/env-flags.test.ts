import { expect, test } from 'vitest';
import { envFlag, envValue, twinOf } from './env-flags.js';

test('every variable has a twin', () => {
  expect(['CLAUDE_CODE_SIMPLE', 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE', 'DISABLE_PROMPT_CACHING'].map(twinOf)).toEqual([
    'SIDENOTE_SIMPLE',
    'SIDENOTE_AUTOCOMPACT_PCT_OVERRIDE',
    'SIDENOTE_DISABLE_PROMPT_CACHING',
  ]);
});

test('the twin wins, also when it says no', () => {
  expect(envValue({ MAX_THINKING_TOKENS: '1', SIDENOTE_MAX_THINKING_TOKENS: '2' }, 'MAX_THINKING_TOKENS')).toBe('2');
  expect(envValue({ MAX_THINKING_TOKENS: '1', SIDENOTE_MAX_THINKING_TOKENS: '' }, 'MAX_THINKING_TOKENS')).toBe('1');
  expect(envValue({ MAX_THINKING_TOKENS: '' }, 'MAX_THINKING_TOKENS')).toBe(undefined);
  expect(envFlag({ CLAUDE_CODE_SIMPLE: '1', SIDENOTE_SIMPLE: '0' }, 'CLAUDE_CODE_SIMPLE')).toBe(false);
  expect(envFlag({ SIDENOTE_SIMPLE: 'on' }, 'CLAUDE_CODE_SIMPLE')).toBe(true);
});

test.each([
  ['1', true],
  ['true', true],
  ['YES', true],
  [' on ', true],
  ['0', false],
  ['false', false],
  ['2', false],
  ['', false],
  [undefined, false],
])('%j is %s', (value, expected) => {
  expect(envFlag({ CLAUDE_CODE_REMOTE: value }, 'CLAUDE_CODE_REMOTE')).toBe(expected);
});
