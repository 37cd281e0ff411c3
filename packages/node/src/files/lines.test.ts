import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clip, headOf, numberLines, splitLines } from './index.js';

it('numbers lines from where they stand', () => {
  expect(numberLines('a\n\nb\r\n')).toBe('1\ta\n2\t\n3\tb');
  expect(numberLines('x', 41)).toBe('41\tx');
  expect(numberLines('')).toBe('');
});

it('cuts long lines on a whole character and says so', () => {
  const line = `${'a'.repeat(1999)}😀tail`;
  expect(numberLines(line)).toBe(`1\t${'a'.repeat(1999)} … [6 more characters in this line]`);
  expect(headOf('😀', 1)).toBe('');
  expect(clip('short', 5)).toBe('short');
});

it('can be taken back: numbers aside, the lines are those of the text', () => {
  const lines = fc.array(
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((line) => line.replace(/[\r\n]/g, '')),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 1e6 }), (all, first) => {
      const text = `${all.join('\n')}\n`;
      const numbered = numberLines(text, first).split('\n');
      expect(numbered.map((line) => line.slice(line.indexOf('\t') + 1))).toEqual(splitLines(text));
      expect(numbered.map((line) => Number.parseInt(line, 10))).toEqual(all.map((_, index) => first + index));
    }),
  );
});

it('never gives half a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.nat(20),
      (text, max) => headOf(text, max).isWellFormed() && clip(text, max).isWellFormed(),
    ),
  );
});
