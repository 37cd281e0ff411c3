import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorktree } from './worktree.js';

let root = '';
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'worktree-')));
  await mkdir(join(root, 'repo/pkg'), { recursive: true });
  await writeFile(join(root, 'repo/pkg/a.txt'), 'a\n');
  git(join(root, 'repo'), 'init', '-q', '-b', 'main');
  git(join(root, 'repo'), 'add', '.');
  git(join(root, 'repo'), 'commit', '-qm', 'one');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function open() {
  const folder = join(root, 'trees/t1');
  const signal = new AbortController().signal;
  const opened = await openWorktree({ cwd: join(root, 'repo/pkg'), folder, branch: 'sidenote/t1', env: process.env, signal });
  if (opened.type === 'failed') throw new Error(opened.why);
  return { folder, worktree: opened.worktree };
}

it('is the same folder in a copy, and gone when nothing was done there', async () => {
  await writeFile(join(root, 'repo/.git/hooks/post-checkout'), '#!/bin/sh\ntouch ../../hooked\n', { mode: 0o755 });
  const { folder, worktree } = await open();
  expect(worktree.cwd).toBe(join(folder, 'pkg'));
  expect(existsSync(join(worktree.cwd, 'a.txt'))).toBe(true);
  expect(await worktree.close()).toBe('removed');
  expect([folder, join(root, 'hooked')].map((path) => existsSync(path))).toEqual([false, false]);
  expect(git(join(root, 'repo'), 'branch', '--list', 'sidenote/*')).toBe('');
});

it.each(['a changed file', 'a new file', 'a commit'])('stays with %s, and is opened again as it was', async (what) => {
  const { folder, worktree } = await open();
  await writeFile(join(worktree.cwd, what === 'a new file' ? 'b.txt' : 'a.txt'), 'b\n');
  if (what === 'a commit') git(folder, 'commit', '-qam', 'two');
  expect(await worktree.close()).toBe('kept');
  const again = await open();
  expect(existsSync(join(again.worktree.cwd, 'a.txt'))).toBe(true);
  expect(await again.worktree.close()).toBe('kept');
});

it('says why there can be none', async () => {
  await mkdir(join(root, 'bare'));
  const options = { folder: join(root, 'trees/x'), branch: 'x', env: process.env, signal: new AbortController().signal };
  expect(await openWorktree({ ...options, cwd: join(root, 'bare') })).toEqual({
    type: 'failed',
    why: `${join(root, 'bare')} is in no repository with a commit`,
  });
});
