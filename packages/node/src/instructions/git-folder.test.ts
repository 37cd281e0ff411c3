import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { homeOf, isBare, originOf, repositoryOf } from './git-folder.js';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'git-folder-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a pipe in the place of .git is no repository, and holds nobody', () => {
  execFileSync('mkfifo', [join(folder, '.git')]);
  expect(repositoryOf(folder)).toBeUndefined();
});

it('a pipe in the place of the configuration says nothing, and holds nobody', async () => {
  await mkdir(join(folder, '.git'));
  execFileSync('mkfifo', [join(folder, '.git/config')]);
  const repository = repositoryOf(folder);
  expect(repository).toBe(join(folder, '.git'));
  expect(isBare(repository ?? '')).toBe(false);
  expect(originOf(repository ?? '')).toBeUndefined();
});

it('a file that names another folder leads to the data that all worktrees share', async () => {
  await mkdir(join(folder, 'main/.git/worktrees/w'), { recursive: true });
  await writeFile(join(folder, 'main/.git/worktrees/w/commondir'), '../..\n');
  await mkdir(join(folder, 'w'));
  await writeFile(join(folder, 'w/.git'), `gitdir: ${join(folder, 'main/.git/worktrees/w')}\n`);
  expect(repositoryOf(join(folder, 'w'))).toBe(join(folder, 'main/.git'));
});

it('a worktree stands for the main checkout only where the repository itself knows both', async () => {
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  };
  const linked = (name: string, data: string): Record<string, string> => ({
    [`${name}/.git`]: `gitdir: ${join(folder, data)}\n`,
    [`${data}/gitdir`]: `${join(folder, name, '.git')}\n`,
  });
  await write({ 'main/.git/worktrees/w/commondir': '../..\n', ...linked('w', 'main/.git/worktrees/w') });
  expect(homeOf(join(folder, 'w'))).toBe(join(folder, 'main'));
  // Its data lies with itself, and names the repository of somebody else.
  await write({ 'evil/data/commondir': `${join(folder, 'main/.git')}\n`, ...linked('evil', 'evil/data') });
  expect(homeOf(join(folder, 'evil'))).toBe(join(folder, 'evil'));
  // A repository of its own whose checkout is said to be that of somebody else.
  await write({ 'bad/data/config': `[core]\nworktree = ${join(folder, 'main')}\n`, 'bad/data/worktrees/w/commondir': '../..\n' });
  await write(linked('bad', 'bad/data/worktrees/w'));
  expect(homeOf(join(folder, 'bad'))).toBe(join(folder, 'bad'));
});
