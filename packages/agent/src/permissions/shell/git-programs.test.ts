import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPermissions } from '../permissions.js';
import { fakeTool } from '../permissions.testing.js';
import { gitPrograms } from './git-programs.js';

let root: string;
let work: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'git-programs-')));
  work = join(root, 'work');
  mkdirSync(work);
  git('init', '-q');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync('git', ['-C', work, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });

describe('what git would run in a repository', () => {
  test('is nothing where there is none, and nothing in one that is plain', async () => {
    expect(await gitPrograms(root)).toBe(null);
    expect(await gitPrograms(join(root, 'not-there'))).toBe(null);
    git('config', 'core.hooksPath', '.husky');
    git('config', 'core.fsmonitor', 'true');
    git('config', 'alias.st', '!touch ran');
    expect(await gitPrograms(work)).toBe(null);
  });

  test.each([
    'core.fsmonitor',
    'diff.external',
    'diff.own.textconv',
    'diff.own.command',
    'filter.own.clean',
    'filter.own.process',
    'gpg.program',
    'core.sshcommand',
  ])('is what %s names', async (key) => {
    git('config', key, './run-me');
    expect(await gitPrograms(work)).toBe(key);
    expect(await gitPrograms(join(work, '.git'))).toBe(key);
  });

  test('is what an included file names', async () => {
    writeFileSync(join(work, 'more'), '[filter "own"]\n\tclean = ./run-me\n');
    git('config', 'include.path', '../more');
    expect(await gitPrograms(work)).toBe('filter.own.clean');
  });

  test('is the hook that runs when an index is written', async () => {
    const hook = join(work, '.git/hooks/post-index-change');
    mkdirSync(join(work, '.git/hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\n');
    chmodSync(hook, 0o755);
    expect(await gitPrograms(work)).toBe('the hook post-index-change');
  });
});

test('a command that only reads is asked about where it would run one, unless the project is trusted; and asking runs none', async () => {
  git('config', 'core.fsmonitor', `touch ${join(root, 'ran')}; false`);
  const judge = (command: string, trusted: boolean) => {
    const permissions = createPermissions({ cwd: work, home: root, mode: 'default', rules: {}, trusted });
    return permissions.judge({ id: 'call', name: 'Bash', input: {} }, fakeTool('Bash', 'execute'), { command });
  };
  for (const command of ['git status', 'git log -p | head -5', 'cd .git && git diff']) {
    expect(await judge(command, false)).toMatchObject({ type: 'ask', why: expect.stringContaining('core.fsmonitor') });
    expect(await judge(command, true)).toMatchObject({ type: 'allow' });
  }
  expect(await judge('ls', false)).toMatchObject({ type: 'allow' });
  expect(existsSync(join(root, 'ran'))).toBe(false);
});
