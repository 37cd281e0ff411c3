import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTextFile, writeTextFile } from './index.js';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-write-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it('makes folders, and leaves nothing else behind', async () => {
  const path = join(dir, 'a/b/c.txt');
  expect(await writeTextFile(path, 'hi\n')).toMatchObject({ type: 'written', path, created: true, stat: { size: 3 } });
  expect(await readdir(join(dir, 'a/b'))).toEqual(['c.txt']);
});

it('keeps mode, mark and encoding', async () => {
  const path = join(dir, 'run.sh');
  await writeFile(path, Buffer.from('\ufeffä\r\n', 'utf16le'));
  await chmod(path, 0o755);
  const reading = await readTextFile(path);
  if (reading.type !== 'text') throw new Error(reading.type);
  expect(await writeTextFile(path, `${reading.text}ö\r\n`, reading)).toMatchObject({
    type: 'written',
    created: false,
    encoding: 'utf-16le',
  });
  expect(await readFile(path)).toEqual(Buffer.from('\ufeffä\r\nö\r\n', 'utf16le'));
  expect((await stat(path)).mode & 0o777).toBe(0o755);
});

it('says when an encoding cannot hold the text, and writes UTF-8', async () => {
  const path = join(dir, 'l.txt');
  expect(await writeTextFile(path, 'é', { bom: false, encoding: 'latin1' })).toMatchObject({ encoding: 'latin1', stat: { size: 1 } });
  expect(await writeTextFile(path, 'é→', { bom: false, encoding: 'latin1' })).toMatchObject({ encoding: 'utf-8', stat: { size: 5 } });
  expect(await writeTextFile(path, '\ud83d')).toMatchObject({ type: 'failed' });
  expect(await readFile(path, 'utf8')).toBe('é→');
});

it('writes through links, also through one that leads nowhere yet', async () => {
  await writeFile(join(dir, 'real.txt'), 'old');
  await symlink('real.txt', join(dir, 'link.txt'));
  await symlink('sub/later.txt', join(dir, 'dangling.txt'));
  expect(await writeTextFile(join(dir, 'link.txt'), 'new')).toMatchObject({ type: 'written', path: join(dir, 'real.txt') });
  expect(await writeTextFile(join(dir, 'dangling.txt'), 'made')).toMatchObject({ path: join(dir, 'sub/later.txt'), created: true });
  expect((await lstat(join(dir, 'link.txt'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(dir, 'real.txt'), 'utf8')).toBe('new');
});

it('fails with a reason where no file can be', async () => {
  expect(await writeTextFile(dir, 'x')).toEqual({ type: 'failed', why: 'EISDIR' });
  await writeFile(join(dir, 'f'), 'x');
  expect(await writeTextFile(join(dir, 'f/below'), 'x')).toMatchObject({ type: 'failed' });
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  expect(await writeTextFile(join(dir, 'pipe'), 'x')).toEqual({ type: 'failed', why: 'not a regular file' });
});
