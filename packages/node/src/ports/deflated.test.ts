import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deflated } from './deflated.js';

test('what was packed is there again, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(deflated.unpack(deflated.pack(text))).toBe(text);
    }),
  );
});

test('records become a fraction of what they are', () => {
  const text = JSON.stringify(
    Array.from({ length: 1_000 }, (_, id) => ({ id, type: 'user', at: '2031-03-01T10:00:00.000Z', effects: [] })),
  );
  expect(deflated.pack(text).byteLength).toBeLessThan(text.length / 10);
});
