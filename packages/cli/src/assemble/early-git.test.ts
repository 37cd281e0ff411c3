import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { earlyGit } from './early-git.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

it('answers the first question with what was asked at the start, and looks anew for the next', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'early-git-'));
  folders.push(cwd);
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  git('init', '-q', '-b', 'first');
  const source = earlyGit({ cwd, env: process.env });
  const text = async () => {
    const reading = await source.read(new AbortController().signal);
    return reading.type === 'ready' ? reading.value.text : reading.why;
  };
  expect(await text()).toContain('Current branch: first');
  git('symbolic-ref', 'HEAD', 'refs/heads/second');
  expect(await text()).toContain('Current branch: second');
});
