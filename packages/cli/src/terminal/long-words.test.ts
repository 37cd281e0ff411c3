import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakLongWords } from './long-words.js';

describe('long words', () => {
  it('are broken at the width; words as people write them stay', () => {
    const long = 'x'.repeat(1_000);
    expect(breakLongWords(`see ${long} there`, 400)).toBe(`see ${'x'.repeat(400)}\n${'x'.repeat(400)}\n${'x'.repeat(200)} there`);
    const words = 'word '.repeat(1_000);
    expect(breakLongWords(words, 10)).toBe(words);
  });
  it('keep every character whole, and lose none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 400, maxLength: 3_000 }), fc.integer({ min: 0, max: 90 }), (text, width) => {
        const broken = breakLongWords(text, width);
        expect(broken.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
        expect(broken.isWellFormed()).toBe(text.isWellFormed());
      }),
      { numRuns: 50 },
    );
  });
});
