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

test('what has no words does not throw in its turn', () => {
  const wordless = Object.assign(new Error(), { message: Object.create(null) });
  expect([Object.create(null), wordless].map(messageOf)).toEqual(Array(2).fill('something was thrown that has no words'));
});
