import { expect, test } from 'vitest';
import { result, view } from '../kinds/kind.testing.js';
import { covers, gone, viewsFold } from './views.js';

const read = (...parts: Parameters<typeof view>[1][]) =>
  parts
    .map((part) => result('c', '…', [{ type: 'viewed', view: view('/p/a', part) }]))
    .reduce(viewsFold.step, viewsFold.initial())
    .get('/p/a')?.lines;

test('parts of one state add up; another state begins anew', () => {
  expect(
    read(
      { lines: [[1, 10]] },
      {
        lines: [
          [8, 20],
          [30, 40],
        ],
      },
    ),
  ).toEqual([
    [1, 20],
    [30, 40],
  ]);
  expect(read({ lines: [[1, 10]] }, { lines: 'all' })).toBe('all');
  expect(read({ lines: 'all' }, { digest: 'other', lines: [[1, 2]] })).toEqual([[1, 2]]);
  expect(read({ lines: 'all' }, { form: 'instructions', lines: [[1, 2]] })).toEqual([[1, 2]]);
});

test('writing is seeing, and what is gone is not in the table', () => {
  const wrote = result('c', '…', [{ type: 'wrote', view: view('/p/a'), before: null }]);
  const views = viewsFold.step(viewsFold.initial(), wrote);
  expect(views.get('/p/a')?.lines).toBe('all');
  expect(viewsFold.step(views, result('c', '…', [gone('/p/a')])).size).toBe(0);
});

test('lines are covered by one seen range', () => {
  expect(covers('all', [[5, 6]])).toBe(true);
  expect(
    covers(
      [[1, 10]],
      [
        [2, 3],
        [9, 10],
      ],
    ),
  ).toBe(true);
  expect(covers([[1, 10]], [[9, 11]])).toBe(false);
  expect(covers([[1, 10]], 'all')).toBe(false);
});
