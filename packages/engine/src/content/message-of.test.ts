import { expect, test } from 'vitest';
import { messageOf } from './message-of.js';

test('anything that was thrown has words', () => {
  expect([new RangeError('too long'), new Error(''), 'a text', 7, null, undefined, { code: 1 }].map(messageOf)).toEqual([
    'too long',
    '',
    'a text',
    '7',
    'null',
    'undefined',
    '[object Object]',
  ]);
});
