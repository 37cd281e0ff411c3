import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listings } from './listing.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'listing-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('knows the folders in a folder, whatever was looked into before', () => {
  for (const path of ['a/deep/er', 'a/b', 'flat', 'empty']) mkdirSync(join(root, path), { recursive: true });
  for (const path of ['file', 'flat/one', 'flat/two', 'a/three']) writeFileSync(join(root, path), '');
  symlinkSync(join(root, 'a'), join(root, 'flat', 'link'));
  const every = {
    '': { names: ['a', 'empty', 'file', 'flat'], folders: ['a', 'empty', 'flat'] },
    a: { names: ['b', 'deep', 'three'], folders: ['b', 'deep'] },
    'a/deep': { names: ['er'], folders: ['er'] },
    'a/deep/er': { names: [], folders: [] },
    flat: { names: ['link', 'one', 'two'], folders: [] },
    empty: { names: [], folders: [] },
    file: { names: [], folders: [] },
    gone: { names: [], folders: [] },
  };
  for (const order of [Object.entries(every), Object.entries(every).toReversed()]) {
    const list = listings();
    for (const [path, expected] of order) {
      const { names, folders } = list(join(root, path));
      expect({ names: names.toSorted(), folders: folders.toSorted() }).toEqual(expected);
    }
  }
});
