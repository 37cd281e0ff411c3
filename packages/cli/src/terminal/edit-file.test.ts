import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editFile } from './edit-file.js';

it('gives the file to the editor, and says how one failed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'edit-'));
  const path = join(folder, 'a "b".md');
  const env = (VISUAL: string) => ({ PATH: process.env['PATH'], VISUAL });
  expect(await editFile(path, env('f() { echo edited > "$1"; }; f'))).toBeUndefined();
  expect(await readFile(path, 'utf8')).toBe('edited\n');
  expect(await editFile(path, env('false'))).toBe('false ended with status 1');
  await rm(folder, { recursive: true });
});
