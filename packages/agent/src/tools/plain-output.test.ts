import { expect, it } from 'vitest';
import { plainOutput } from './plain-output.js';

it('leaves out what only a terminal obeys, and white space at the end', () => {
  expect(plainOutput('\u001b[31mred\u001b[0m\tb\r\n\0\u0007c\n \n')).toBe('red\tb\r\nc');
});

it('takes no time over a long run of white space', () => {
  expect(plainOutput(`a${' '.repeat(500_000)}b`)).toHaveLength(500_002);
});
