import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { getSystemContext, getUserContext } from './context.js';

let root: string;
let options: { readonly cwd: string; readonly home: string; readonly env: Record<string, string | undefined> };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'context-')));
  const [cwd, home] = [join(root, 'work'), join(root, 'home')];
  mkdirSync(cwd);
  mkdirSync(home);
  options = { cwd, home, env: { PATH: process.env['PATH'], HOME: home } };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a folder without a repository and without instructions has the date alone', async () => {
  expect(await getSystemContext(options)).toEqual({});
  expect(await getUserContext(options)).toEqual({ date: expect.stringMatching(/^Today is \d{4}-\d\d-\d\d/) });
});

test('git and instructions, each by name, and each can be off', async () => {
  execFileSync('git', ['init', '-q', '-b', 'branch-kilo', options.cwd]);
  writeFileSync(join(options.cwd, 'AGENTS.md'), 'Use tabs.\n');
  expect((await getSystemContext(options))['git']).toContain('branch-kilo');
  expect((await getUserContext(options))['instructions']).toContain('Use tabs.');
  expect(await getSystemContext({ ...options, off: ['git'] })).toEqual({});
  expect(Object.keys(await getUserContext({ ...options, off: ['instructions'] }))).toEqual(['date']);
});

test('what can not be read is left out, and said', async () => {
  rmSync(options.cwd, { recursive: true });
  const absent: string[] = [];
  expect(await getSystemContext({ ...options, onAbsent: (name, why) => absent.push(`${name}: ${why}`) })).toEqual({});
  expect(absent).toEqual([expect.stringMatching(/^git: there is no folder/)]);
});
