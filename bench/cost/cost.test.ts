/** The model of the cache on made-up requests: what it reads, writes and forgets, and that nothing is cheaper than the floor. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptCache } from './cache.js';
import { floorOf } from './floor.js';
import { positionsOf, type Position } from './positions.js';

type Mark = Position['mark'];
const position = (key: string, tokens: number, mark: Mark = null): Position => ({ key, tokens, mark });
/** `count` positions of `tokens` each; only the last is marked. */
const blocks = (count: number, tokens: number, mark: Mark = '5m'): Position[] =>
  Array.from({ length: count }, (_, index) => position(`${index}`, tokens, index === count - 1 ? mark : null));

test('what was written is read, and only the rest is written', () => {
  const cache = promptCache();
  expect(cache.bill(blocks(2, 1000), 0)).toMatchObject({ read: 0, written: { '5m': 2000 }, fresh: 0, units: 2500 });
  expect(cache.bill(blocks(3, 1000), 1)).toMatchObject({ read: 2000, written: { '5m': 1000 }, fresh: 0, units: 200 + 1250 });
});

test('an entry is found twenty positions back, and no further', () => {
  const near = promptCache();
  near.bill(blocks(10, 1000), 0);
  expect(near.bill(blocks(29, 1000), 1).read).toBe(10_000);
  const far = promptCache();
  far.bill(blocks(10, 1000), 0);
  expect(far.bill(blocks(30, 1000), 1).read).toBe(0);
});

test('a read renews an entry; without one it is forgotten after its life', () => {
  const cache = promptCache();
  cache.bill(blocks(2, 1000), 0);
  expect(cache.bill(blocks(2, 1000), 299).read).toBe(2000);
  expect(cache.bill(blocks(2, 1000), 598).read).toBe(2000);
  expect(cache.bill(blocks(2, 1000), 898).read).toBe(0);
  const hour = promptCache();
  expect(hour.bill(blocks(2, 1000, '1h'), 0).units).toBe(4000);
  expect(hour.bill(blocks(2, 1000, '1h'), 3599).read).toBe(2000);
});

test('too short a prefix, and what no mark covers, is fresh', () => {
  const cache = promptCache();
  expect(cache.bill(blocks(1, 1023), 0)).toMatchObject({ fresh: 1023, units: 1023 });
  expect(cache.bill([...blocks(1, 2000), position('after', 10)], 1)).toMatchObject({ written: { '5m': 2000 }, fresh: 10 });
});

test('no stream that keeps its prefix is billed below the floor, and planned marks reach it', () => {
  const steps = fc.array(fc.array(fc.integer({ min: 1100, max: 5000 }), { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(steps, (added) => {
      const cache = promptCache();
      const requests: Position[][] = [];
      let units = 0;
      added.forEach((tokens, step) => {
        const before = (requests.at(-1) ?? []).map(({ key, tokens: own }, at, all) =>
          position(key, own, at === all.length - 1 ? '5m' : null),
        );
        const fresh = tokens.map((own, at) => position(`${step}.${at}`, own, at === tokens.length - 1 ? '5m' : null));
        requests.push([...before, ...fresh]);
        units += cache.bill(requests.at(-1) ?? [], step).units;
      });
      expect(units).toBeCloseTo(floorOf(requests), 3);
    }),
  );
});

test('marks are no part of a key; everything before is', () => {
  const body = (system: string, marked: boolean) => ({
    model: 'm',
    tools: [],
    system: [{ type: 'text' as const, text: system }],
    messages: [
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'hi', ...(marked ? { cache_control: { type: 'ephemeral' as const } } : {}) }],
      },
    ],
  });
  const keys = (one: ReturnType<typeof body>) => positionsOf(one).map(({ key }) => key);
  expect(keys(body('a', true))).toEqual(keys(body('a', false)));
  expect(keys(body('a', false)).at(-1)).not.toBe(keys(body('b', false)).at(-1));
});
