import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

test.each([
  ['modle', 'model'],
  ['MODEL', 'model'],
  ['permission', 'permissions'],
  ['perm', 'permissions'],
  ['ho', 'hooks'],
  ['outputstyles', 'outputStyle'],
  ['statusLine', undefined],
  ['p', undefined],
  ['', undefined],
])('the nearest to %j is %j', (word, expected) => {
  expect(nearest(word, ['model', 'permissions', 'outputStyle', 'hooks'])).toBe(expected);
});
