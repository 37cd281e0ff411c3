import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countText } from './count-text.js';

it('says a count as the tables of English do', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double({ min: 0, max: 1e15, noNaN: true })), (value) => {
      expect(countText(value)).toBe((Math.round(value) + 0).toLocaleString('en'));
    }),
  );
  expect([0, 999, 1000, 1_234_567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567']);
});
