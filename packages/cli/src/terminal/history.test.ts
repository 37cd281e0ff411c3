import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileHistory } from './history.js';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sidenote-history-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('keeps words per folder, privately, and survives a broken line', async () => {
  const configDir = join(root, 'config');
  const here = fileHistory({ configDir, cwd: '/here' });
  expect(await here.load()).toEqual([]);
  await here.add('one');
  await here.add('two\nlines');
  await fileHistory({ configDir, cwd: '/there' }).add('elsewhere');
  await appendFile(join(configDir, 'history.jsonl'), '{"cwd":"/here"\n');
  await here.add('three');
  await here.add('three');
  expect(await here.load()).toEqual(['one', 'two\nlines', 'three']);
  expect((await stat(join(configDir, 'history.jsonl'))).mode & 0o077).toBe(0);
  expect(await readdir(configDir)).toEqual(['history.jsonl']);
});

it('does without where nothing can be written', async () => {
  await expect(fileHistory({ configDir: '/dev/null/config', cwd: '/here' }).add('words')).resolves.toBeUndefined();
});
