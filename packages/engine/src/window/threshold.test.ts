import fc from 'fast-check';
import { expect, test } from 'vitest';
import { profileOf } from '../request/profiles.js';
import type { Fullness } from './fullness.js';
import { compactionDue, compactionThreshold } from './threshold.js';

test('room is left for the summary and the answer', () => {
  expect(compactionThreshold(profileOf('claude-opus-5-5'))).toBe(913_000);
  expect(compactionThreshold(profileOf('claude-haiku-4-5'))).toBe(161_000);
  expect(compactionThreshold({ window: 8_000, maxOutput: 8_000 })).toBe(4_000);
});

test('a percentage lowers it and never raises it; what is no percentage changes nothing', () => {
  const profile = { window: 200_000, maxOutput: 32_000 };
  expect(compactionThreshold(profile, 5)).toBe(10_000);
  for (const percent of [99, 1_000, 0, -1, Number.NaN]) expect(compactionThreshold(profile, percent)).toBe(161_000);
});

test('it lies between nothing and the window, for any model', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2_000, max: 2_000_000 }),
      fc.nat(200_000),
      fc.option(fc.double(), { nil: undefined }),
      (window, maxOutput, percent) => {
        const threshold = compactionThreshold({ window, maxOutput }, percent);
        expect(threshold).toBeGreaterThanOrEqual(0);
        expect(threshold).toBeLessThan(window);
      },
    ),
  );
});

const window = (tokens: number, changes: Partial<Fullness> = {}): Fullness => ({
  tokens,
  by: 'reported',
  first: 100,
  compacted: false,
  ...changes,
});
const due = (fullness: Fullness, more = 0, fixed = 10) =>
  compactionDue(fullness, { threshold: 1_000, more, overhead: () => [{ name: 'tools', tokens: fixed }] }).type;

test('due from the threshold on, with what is about to be added', () => {
  expect([due(window(999)), due(window(1_000)), due(window(900), 100)]).toEqual(['no', 'due', 'due']);
});

test('one compaction per filling: none in a window that has just begun, and none that would not help', () => {
  expect(due(window(5_000, { compacted: true, first: null }))).toBe('no');
  expect(due(window(5_000, { compacted: true, first: 1_000 }))).toBe('vain');
  expect(due(window(5_000, { compacted: true, first: 999 }))).toBe('due');
  expect(due(window(5_000), 0, 1_000)).toBe('vain');
});

test('what is too big is named, the largest first', () => {
  const overhead = () => [
    { name: 'small.md', tokens: 1 },
    { name: 'system prompt and tools', tokens: 40_000 },
  ];
  expect(compactionDue(window(50_000), { threshold: 1_000, overhead })).toEqual({
    type: 'vain',
    why: expect.stringContaining('each request holds system prompt and tools about 40,000, small.md about 1'),
  });
});
