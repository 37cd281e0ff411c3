import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeMemory } from './guard.js';

let folder = '';
beforeEach(async () => {
  folder = join(await realpath(await mkdtemp(join(tmpdir(), 'sidenote-guard-'))), 'memory');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true, maxRetries: 3 }));

const judge = async (name: string, text: string, before?: string) => judgeMemory({ path: join(folder, name), text, before }, folder);
const lines = (count: number) => '- line\n'.repeat(count);

test('an index is refused beyond its limits, and its writer is told when they are near', async () => {
  expect(await judge('MEMORY.md', lines(150))).toEqual({ type: 'allowed' });
  expect(await judge('MEMORY.md', lines(190))).toMatchObject({ type: 'near', why: expect.stringContaining('it has 190 lines, 2 KB now') });
  expect(await judge('MEMORY.md', lines(200))).toMatchObject({ type: 'near' });
  expect(await judge('MEMORY.md', lines(201))).toMatchObject({
    type: 'refused',
    why: expect.stringContaining('200 lines and 25 KB at most'),
  });
  expect(await judge('MEMORY.md', 'é'.repeat(13_000))).toMatchObject({ type: 'refused' });
  expect(await judge('topic.md', lines(500))).toEqual({ type: 'allowed' });
  expect(await judge('deep/MEMORY.md', lines(500))).toEqual({ type: 'allowed' });
});

test('what is over its limit may become shorter', async () => {
  expect(await judge('MEMORY.md', lines(300), lines(400))).toMatchObject({ type: 'near' });
  expect(await judge('MEMORY.md', lines(401), lines(400))).toMatchObject({ type: 'refused' });
});

test('secrets are refused by name, not repeated, and only where they are new', async () => {
  const key = `sk-ant-${'x1'.repeat(20)}`;
  const verdict = await judge('a.md', `the key is ${key}`);
  expect(verdict).toMatchObject({ type: 'refused', why: expect.stringContaining('an Anthropic key') });
  expect(JSON.stringify(verdict)).not.toContain(key);
  expect(await judge('a.md', `words\n${key}`, key)).toEqual({ type: 'allowed' });
});

test('other files are no matter of it, by whichever way they are named', async () => {
  await mkdir(folder, { recursive: true });
  expect(await judge('../x.md', lines(9000))).toEqual({ type: 'allowed' });
  expect(await judge('../memory/MEMORY.md', lines(201))).toMatchObject({ type: 'refused' });
});
