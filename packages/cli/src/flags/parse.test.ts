import { describe, expect, it } from 'vitest';
import { UsageError } from '../usage-error.js';
import { listed, numeric, parseFlags, switched, text } from './parse.js';

const refusal = (...args: string[]): string => {
  try {
    parseFlags(args);
  } catch (error) {
    if (UsageError.isInstance(error)) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('parseFlags', () => {
  it('reads a headless run as scripts write it', () => {
    const flags = parseFlags(['-p', 'fix the bug', '--output-format', 'stream-json', '--verbose', '--max-turns', '3', '--model', 'opus']);
    expect(flags.prompt).toBe('fix the bug');
    expect(switched(flags, 'print')).toBe(true);
    expect(text(flags, 'output-format')).toBe('stream-json');
    expect(numeric(flags, 'max-turns')).toBe(3);
  });

  it.each([
    ['contxt', 'context'],
    ['Doctor', 'doctor'],
    ['docter', 'doctor'],
    ['sesions', 'sessions'],
    ['lnit', 'lint'],
    ['dif', 'diff'],
    ['mpc', 'mcp'],
  ])('refuses %s alone, which is a slip for %s', (word, meant) => {
    expect(refusal(word)).toContain(`did you mean \`sidenote ${meant}\`?`);
    expect(refusal(word, '--json')).toContain('did you mean');
    expect([refusal(word, 'it'), refusal('--', word), refusal('-p', word)]).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it.each(['hello', 'help me', 'fix', 'go', 'fine', 'contextual'])('takes %s for words', (words) => {
    expect(parseFlags([words]).prompt).toBe(words);
  });

  it('takes rules in every way people separate them, and leaves the prompt alone', () => {
    const flags = parseFlags([
      '-p',
      '--allowedTools',
      'Bash(git log:*)',
      'Read,Edit',
      'mcp__a__b',
      '--disallowed-tools=Bash(rm:*, x) Write',
      'say hi',
    ]);
    expect(listed(flags, 'allowedTools')).toEqual(['Bash(git log:*)', 'Read', 'Edit', 'mcp__a__b']);
    expect(listed(flags, 'disallowedTools')).toEqual(['Bash(rm:*, x)', 'Write']);
    expect(flags.prompt).toBe('say hi');
    expect(listed(flags, 'tools')).toBeUndefined();
  });

  it('lets --resume stand with and without an id', () => {
    expect(text(parseFlags(['-r', 'abc', 'go']), 'resume')).toBe('abc');
    expect(switched(parseFlags(['--resume']), 'resume')).toBe(true);
    expect(text(parseFlags(['--resume', '--model', 'opus']), 'resume')).toBeUndefined();
  });

  it('keeps values that begin with a dash', () => {
    expect(text(parseFlags(['-p', '--append-system-prompt', '- be brief', 'x']), 'append-system-prompt')).toBe('- be brief');
    expect(parseFlags(['-p', '--', '--model']).prompt).toBe('--model');
  });

  it('knows commands by the first word only', () => {
    expect(parseFlags(['context', 'rename', 'it', '--json'])).toMatchObject({ command: 'context', prompt: 'rename it' });
    expect(parseFlags(['-p', 'context'])).toMatchObject({ command: 'chat', prompt: 'context' });
    expect(parseFlags(['explain context'])).toMatchObject({ command: 'chat' });
  });

  it.each([
    [['--modle', 'opus'], '--model?'],
    [['--permission-mod', 'plan'], '--permission-mode?'],
    [['--allowtools', 'Read'], '--allowedTools?'],
    [['-z'], 'unknown flag -z'],
    [['inspect'], 'sidenote inspect is not available yet'],
    [['-p', 'x', '--max-turns', 'three'], 'a number above zero'],
    [['-p', 'x', '--max-turns', '1.5'], 'a number above zero'],
    [['-p', 'x', '--max-turns', '0'], 'a number above zero'],
    [['-p', 'x', '--max-budget-usd', '1e999'], 'a number above zero'],
    [['-p', 'x', '--output-format', 'yaml'], 'use one of text, json, stream-json'],
    [['--output-format', 'json'], 'only with -p'],
    [['--model'], '--model needs a value'],
    [['--model', '--verbose'], 'it stands before --verbose'],
    [['--verbose=yes'], 'takes no value'],
    [['-c', '-r', 'x'], 'either --continue or --resume'],
    [['-p', 'x', '--include-partial-messages'], 'only with --output-format stream-json'],
    [['-p', 'x', '--input-format', 'stream-json'], 'standard input'],
    [['--session-id', 'one'], 'a uuid is needed'],
    [['-p', '-r'], 'needs an id'],
    [['--permission-mode', 'yolo'], 'bypassPermissions'],
  ])('refuses %j', (args, words) => {
    expect(refusal(...args)).toContain(words);
  });
});
