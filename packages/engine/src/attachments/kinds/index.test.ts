import { expect, test } from 'vitest';
import { builtInKinds } from './index.js';

test('opening first, then the input group, then the thread group; every name once', () => {
  const rank = builtInKinds.map(({ position, group }) => (position === 'opening' ? 0 : group === 'input' ? 1 : 2));
  expect(rank).toEqual([...rank].sort());
  expect(new Set(builtInKinds.map(({ kind }) => kind)).size).toBe(builtInKinds.length);
});
