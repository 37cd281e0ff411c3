import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, head, headLines, isBlank, wellFormed } from './text.js';

const cube = '\u{1f9ca}';
const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
const units = fc.constantFrom('a', '\n', cube, family, 'e\u0301', '\u2764\ufe0f', '\u{1f44d}\u{1f3fd}', '\u{1f1e9}\u{1f1ea}');
const texts = fc.array(units, { maxLength: 40 }).map((parts) => parts.join(''));

test('a head is a start of the text, no longer than asked, and well-formed', () => {
  fc.assert(
    fc.property(texts, fc.nat(120), (text, length) => {
      const cut = head(text, length);
      return text.startsWith(cut) && cut.length <= Math.max(length, 0) && cut.isWellFormed();
    }),
  );
});

test('a head does not end inside a visible character', () => {
  expect(head(`ab${cube}`, 3)).toBe('ab');
  expect(head(`a${family}b`, 6)).toBe('a');
  expect(head('e\u0301e\u0301', 3)).toBe('e\u0301');
  expect(head(`x\u2764\ufe0f`, 2)).toBe('x');
  expect(head('abc', 10)).toBe('abc');
  expect(head('abc', 0)).toBe('');
});

test('an endless cluster is cut between code points', () => {
  const stack = `z${'\u0301'.repeat(500)}`;
  expect(head(stack, 300)).toHaveLength(300);
  const joined = Array.from({ length: 60 }, () => cube).join('\u200d');
  expect(head(joined, 100).isWellFormed()).toBe(true);
});

test('lines are cut whole, and the rest is counted', () => {
  expect(headLines('one\ntwo\nthree\n', 8)).toEqual({ text: 'one\ntwo', left: 1 });
  expect(headLines('one\ntwo', 100)).toEqual({ text: 'one\ntwo', left: 0 });
  expect(headLines('a long first line\nb', 6)).toEqual({ text: 'a long', left: 2 });
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\n\nb')]).toEqual([0, 1, 1, 3]);
});

test('lone surrogates are replaced, pairs are kept', () => {
  expect(wellFormed(`a\ud83eb${cube}`)).toBe(`a\ufffdb${cube}`);
});

test('blank is what no provider takes for text', () => {
  expect(['', ' \n\t', '\u00a0\u2003', '\u001c\u0085', '\ufeff'].map(isBlank)).toEqual([true, true, true, true, true]);
  expect(['.', ' \u200b '].map(isBlank)).toEqual([false, false]);
});
