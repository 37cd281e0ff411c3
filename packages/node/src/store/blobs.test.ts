import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonlStore, type JsonlStoreOptions } from './jsonl-store.js';
import { projectFolder } from './project-folder.js';

let at: Required<JsonlStoreOptions>;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'blobs-'));
  at = { cwd: root, configDir: join(root, 'config') };
});
afterEach(() => rmSync(at.cwd, { recursive: true, force: true }));

const opened = (write = true) => jsonlStore(at).open('s1', { write });

test('a text comes back by its digest, in this session and in others', async () => {
  const { blobs, close } = await opened();
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
      async (text) => {
        const digest = await blobs.put(text);
        expect(await blobs.get(digest)).toBe(text);
        expect(await (await opened(false)).blobs.get(digest)).toBe(text);
      },
    ),
    { numRuns: 30 },
  );
  await close();
});

test('a text is written once', async () => {
  const { blobs, close } = await opened();
  const digest = await blobs.put('hello');
  expect(digest).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
  const file = join(projectFolder(at), 'blobs', digest.slice(0, 2), digest);
  const before = statSync(file);
  expect(await Promise.all([blobs.put('hello'), blobs.put('hello')])).toEqual([digest, digest]);
  expect(statSync(file).ino).toBe(before.ino);
  expect(before.mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, '..'))).toEqual([digest]);
  await close();
});

test('what is missing, damaged or no digest is null, and damage is mended by the next put', async () => {
  const { blobs, close } = await opened();
  const digest = await blobs.put('hello');
  const file = join(projectFolder(at), 'blobs', digest.slice(0, 2), digest);
  writeFileSync(file, 'hel');
  expect(await blobs.get(digest)).toBe(null);
  await blobs.put('hello');
  expect(await blobs.get(digest)).toBe('hello');
  rmSync(file);
  mkdirSync(file);
  expect(await blobs.get(digest)).toBe(null);
  expect(await blobs.get('0'.repeat(64))).toBe(null);
  expect(await blobs.get('../../../etc/passwd')).toBe(null);
  await close();
});
