/** What a limit allows, and how a figure reads. */
import { expect, test } from 'vitest';
import { isFine, judge, judgeMedians, type Figure } from './figure.js';
import { table } from './table.js';

const figure = (value: number, floor: number, orMore?: number) =>
  judge({ name: 'own work', unit: 'ms', value, floor, limit: { type: 'ratio', most: 1.2, ...(orMore === undefined ? {} : { orMore }) } });

test('a ratio holds up to its limit, or within what is allowed on top of the floor', () => {
  expect(figure(1.2, 1)).toMatchObject({ ratio: 1.2, ok: true });
  expect(figure(1.4, 1).ok).toBe(false);
  expect(figure(1.4, 1, 0.5).ok).toBe(true);
  expect(figure(Number.NaN, 1, 0.5).ok).toBe(false);
});

test('medians stand with the middle half of their samples', () => {
  const samples = { value: [9, 1, 2, 3, 4], floor: [1, 1, 1, 1, 1] };
  expect(judgeMedians({ name: 'x', unit: 'ms', limit: { type: 'ratio', most: 4 } }, samples)).toMatchObject({
    value: 3,
    spread: [2, 4],
    floor: 1,
  });
});

test('a figure that could not be measured is not fine, one that was skipped is', () => {
  expect(isFine({ type: 'failed', name: 'x', why: 'no request was sent' })).toBe(false);
  expect(isFine({ type: 'skipped', name: 'x', why: 'there is no clock' })).toBe(true);
});

test('the table', () => {
  const figures: Figure[] = [
    judge({
      name: '--version',
      unit: 'ms',
      value: 120,
      spread: [118, 125],
      floor: 100,
      floorSpread: [99, 103],
      limit: { type: 'ratio', most: 1.5 },
    }),
    figure(3, 2, 0.5),
    judge({ name: 'head: system', unit: 'tokens', value: 1500, floor: null, limit: { type: 'most', most: 1400 } }),
    { type: 'skipped', name: 'midnight', why: 'there is no clock' },
  ];
  expect(table(figures)).toMatchInlineSnapshot(`
    "figure                   value            floor  ratio  limit
    --version     120 ms (118–125)  100 ms (99–103)   1.20  ≤ 1.5 ×              ok
    own work               3.00 ms          2.00 ms   1.50  ≤ 1.2 × or + 0.5 ms  OVER
    head: system      1,500 tokens                          ≤ 1,400 tokens       OVER
    midnight  skipped: there is no clock"
  `);
});
