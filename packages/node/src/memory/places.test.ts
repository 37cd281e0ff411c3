import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryPlaces, objectionToFolder } from './places.js';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-places-')));
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always', ...args], {
    stdio: 'pipe',
  });
const own = (cwd: string) => memoryPlaces({ cwd, configDir: '/c' }).own.path;
const named = (folder: string) => `/c/projects/${folder.replace(/[^a-zA-Z0-9]/g, '-')}/memory`;

async function repository(name: string, ...options: string[]): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  git(folder, 'init', '-q', ...options);
  if (options.length === 0) git(folder, 'commit', '-q', '--allow-empty', '-m', 'a');
  return folder;
}

test('a repository has one folder, from wherever in it and from each of its worktrees', async () => {
  const main = await repository('main');
  await mkdir(join(main, 'deep/er'), { recursive: true });
  git(main, 'worktree', 'add', '-q', join(root, 'tree'));
  for (const cwd of [main, join(main, 'deep/er'), join(root, 'tree')]) expect(own(cwd)).toBe(named(main));
  expect(memoryPlaces({ cwd: join(root, 'tree'), configDir: '/c' }).team?.path).toBe(join(root, 'tree/.sidenote/memory'));
  const bare = await repository('bare.git', '--bare');
  git(main, 'push', '-q', bare, 'HEAD');
  git(bare, 'worktree', 'add', '-q', join(root, 'of-bare'));
  expect(own(join(root, 'of-bare'))).toBe(named(bare));
});

test('a submodule has its own, in each of its worktrees, and a plain folder is one by itself', async () => {
  const [inner, outer] = [await repository('inner'), await repository('outer')];
  git(outer, 'submodule', 'add', '-q', inner, 'sub');
  git(join(outer, 'sub'), 'worktree', 'add', '-q', join(root, 'sub-tree'));
  expect(own(join(outer, 'sub'))).toBe(named(join(outer, 'sub')));
  expect(own(join(root, 'sub-tree'))).toBe(named(join(outer, 'sub')));
  await mkdir(join(root, 'plain'));
  expect(memoryPlaces({ cwd: join(root, 'plain'), configDir: '/c' })).toMatchObject({
    own: { path: named(join(root, 'plain')) },
    team: undefined,
  });
});

test('a folder that only says it is a worktree of another repository does not get at its memories', async () => {
  const main = await repository('main');
  git(main, 'worktree', 'add', '-q', join(root, 'tree'));
  const forged = join(root, 'forged');
  await mkdir(forged);
  await writeFile(join(forged, '.git'), `gitdir: ${main}/.git/worktrees/tree\n`);
  expect(own(forged)).toBe(named(forged));
});

test('a folder that is named must not make more writable than memories', async () => {
  const at = { cwd: join(root, 'home/work'), home: join(root, 'home') };
  await mkdir(at.cwd, { recursive: true });
  await repository('home/repo');
  expect(memoryPlaces({ cwd: at.cwd, configDir: '/c', directory: '/n' }).own.path).toBe('/n');
  for (const bad of ['notes', '/', '~/', root, at.cwd, '~/repo']) expect(objectionToFolder(bad, at)).toBeDefined();
  for (const good of ['~/notes', '/var/notes', join(at.cwd, 'notes')]) expect(objectionToFolder(good, at)).toBeUndefined();
});
