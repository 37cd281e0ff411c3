import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolders } from './make-folders.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('makes what is missing, and gives it outermost first', async () => {
  expect(await makeFolders(join(root, 'a/b/c'), { mode: 0o700 })).toEqual([join(root, 'a'), join(root, 'a/b'), join(root, 'a/b/c')]);
  expect(statSync(join(root, 'a/b')).mode & 0o777).toBe(0o700);
  expect(await makeFolders(join(root, 'a/b/d'))).toEqual([join(root, 'a/b/d')]);
  expect(await makeFolders(join(root, 'a/b'))).toEqual([]);
});

test('of many that make the same one at the same moment none fails', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => makeFolders(join(root, 'many/times/over'))));
  expect(new Set(made.flat())).toEqual(new Set(['many', 'many/times', 'many/times/over'].map((name) => join(root, name))));
  expect(existsSync(join(root, 'many/times/over'))).toBe(true);
});

test('rejects below a file', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(makeFolders(join(root, 'file'))).rejects.toThrow('EEXIST');
  await expect(makeFolders(join(root, 'file/a/b'))).rejects.toThrow('ENOTDIR');
});

test.skipIf(!existsSync('/proc/self'))('rejects where no folder can be made, instead of trying for ever', async () => {
  await expect(makeFolders('/proc/none/of/these')).rejects.toThrow('ENOENT');
});
