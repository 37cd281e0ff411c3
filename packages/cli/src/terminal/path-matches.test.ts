import { expect, it } from 'vitest';
import { pathMatches } from './path-matches.js';

const files = ['README.md', 'src/split.js', 'src/api/split-handler.js', 'src/api/index.js', 'test/split.test.js'];

it.each([
  ['src/', ['src/api/', 'src/split.js', 'src/api/index.js', 'src/api/split-handler.js']],
  ['SPL', ['src/split.js', 'test/split.test.js', 'src/api/split-handler.js']],
  ['handler', ['src/api/split-handler.js']],
  ['sapi', ['src/api/', 'src/api/index.js', 'src/api/split-handler.js']],
  ['src/split.js', []],
  ['nothing-like-it', []],
])('%s', (typed, paths) => {
  expect(pathMatches(files, typed)).toEqual(paths);
});

it('offers the top of the project for nothing typed, and a screenful at most', () => {
  expect(pathMatches(files, '')[0]).toBe('src/');
  expect(
    pathMatches(
      Array.from({ length: 500 }, (_, index) => `file-${index}.ts`),
      'file',
    ),
  ).toHaveLength(20);
});
