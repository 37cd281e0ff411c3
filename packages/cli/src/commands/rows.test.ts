import fc from 'fast-check';
import { expect, it } from 'vitest';
import { broken, fit, namedRow } from './rows.js';

it('lets words go on below themselves, and under the name where the screen is narrow', () => {
  const row = ['/compact [words]', 'put a summary in place of the conversation'] as const;
  expect(namedRow(row, { column: 20, width: 50 })).toEqual([
    '/compact [words]    put a summary in place of the',
    '                    conversation',
  ]);
  expect(namedRow(row, { column: 20, width: 36 })).toEqual(['/compact [words]  put a summary in', '    place of the conversation']);
  expect(namedRow(['/exit', ''], { column: 20, width: 36 })).toEqual(['/exit']);
});

it('loses no word, and is wider than asked only where a single word is', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), fc.integer({ min: 20, max: 90 }), (words, width) => {
      const lines = broken(words.join(' '), width, 6);
      expect(lines.join(' ').split(/\s+/).filter(Boolean)).toEqual(words);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }),
  );
});

it('says by an ellipsis that a line was cut, and cuts no character in two', () => {
  expect(fit('twelve words', 12)).toBe('twelve words');
  expect(fit('twelve words', 11)).toBe('twelve wor…');
  expect(fit('ab👩‍👩‍👧cd', 5)).toBe('ab…');
});
