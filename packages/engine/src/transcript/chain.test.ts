import { expect, test } from 'vitest';
import { chainTo } from './chain.js';
import type { ChainRecord } from './records.js';

function record(id: string, parent: string | null): ChainRecord {
  return {
    id,
    parent,
    at: '',
    thread: 't',
    batch: { id, index: 0, count: 1 },
    type: 'user',
    content: [],
    origin: 'human',
  };
}

test('a walk over records that go round in a circle ends', () => {
  const circle = [record('a', 'c'), record('b', 'a'), record('c', 'b')];
  const chain = chainTo('c', new Map(circle.map((one) => [one.id, one])));
  expect(chain.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(chainTo('self', new Map([['self', record('self', 'self')]]))).toHaveLength(1);
  expect(chainTo('nowhere', new Map())).toEqual([]);
});
