import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareHeads, firstDifference } from './compare.js';

const section = (name: string, text: string) => ({ name, text, static: true });
const tool = (name: string, description = name) => ({ name, description, input_schema: { type: 'object' as const } });
const show = (drift: ReturnType<typeof compareHeads>) =>
  drift.map(({ owner, change, byte }) => `${owner.type} ${owner.name} ${change} ${byte}`);

test('names what was changed, added, removed and moved', () => {
  const before = { system: [section('a', 'one'), section('b', 'two'), section('c', 'three')], tools: [tool('Read'), tool('Edit')] };
  const after = { system: [section('b', 'twö'), section('a', 'one'), section('d', 'four')], tools: [tool('Edit'), tool('Read')] };
  expect(show(compareHeads(before, before))).toEqual([]);
  expect(show(compareHeads(before, after))).toEqual([
    'tool Edit moved 0',
    'tool Read moved 0',
    'section c removed 0',
    'section b changed 2',
    'section a moved 0',
    'section d added 0',
  ]);
});

test('the byte is the first one that differs in UTF-8', () => {
  expect(firstDifference('Grüße', 'Grüne').byte).toBe(4);
  expect(firstDifference('🦉', '🧊')).toMatchObject({ byte: 0 });
  const bytes = (text: string) => new TextEncoder().encode(text);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (start, a, b) => {
      fc.pre(a !== b);
      const { byte } = firstDifference(start + a, start + b);
      expect(bytes(start + a).slice(0, byte)).toEqual(bytes(start + b).slice(0, byte));
      expect(byte).toBeGreaterThanOrEqual(bytes(start).length === 0 ? 0 : bytes(start).length - 3);
    }),
  );
});
