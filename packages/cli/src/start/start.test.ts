import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sidenote-start-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Lists the stored sessions: there are none, and it loads a good part of the program. */
function sessions(): { readonly status: number | null; readonly err: string } {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'sessions'], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root },
    encoding: 'utf8',
  });
  return { status, err: stderr };
}

it('keeps compiled code where there is a folder for it, and lives with what has become of it', async () => {
  const first = sessions();
  expect(first.status).toBe(0);
  expect(await readdir(root)).toEqual([]);

  await mkdir(join(root, '.sidenote'));
  expect(sessions()).toEqual(first);
  const cache = join(root, '.sidenote', 'cache');
  const folder = join(cache, (await readdir(cache))[0] ?? '');
  const names = await readdir(folder);
  expect(names).toContain('program.js');
  const written = async (): Promise<readonly bigint[]> =>
    Promise.all(names.map(async (name) => (await stat(join(folder, name), { bigint: true })).mtimeNs));
  const before = await written();
  expect(sessions()).toEqual(first);
  expect(await written()).toEqual(before);

  for (const name of names) {
    const code = await readFile(join(folder, name));
    await writeFile(join(folder, name), code.fill(0x5a, Math.floor(code.length / 2)));
  }
  expect(sessions()).toEqual(first);
  expect(await readdir(folder)).toEqual(names);
  expect(sessions()).toEqual(first);
});
