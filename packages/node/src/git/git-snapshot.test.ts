import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ports } from '@sidenote/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gitSnapshot } from './git-snapshot.js';

let root: string;
let work: string;
let env: Record<string, string>;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'git-')));
  work = join(root, 'work');
  mkdirSync(work);
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: root,
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_AUTHOR_NAME: 'Ada',
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Its sleeps never end by themselves, so git is given all the time it needs. */
const patient: Ports['clock'] = {
  now: () => Date.parse('2031-03-02T08:05:00Z'),
  localDate: () => '2031-03-02',
  timeZone: () => 'Europe/Berlin',
  sleep: (_ms, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
};
const sh = (command: string, cwd = work) => execFileSync('sh', ['-c', command], { cwd, env, encoding: 'utf8' });
const repository = (branch = 'main') =>
  sh(`git init -q -b ${branch} . && git config user.name Ada && echo a > a.txt && git add . && git commit -q -m first`);
const reading = (cwd = work, clock = patient) => gitSnapshot({ cwd, clock, env }).read(new AbortController().signal);
const textOf = async (cwd = work, clock = patient) => {
  const result = await reading(cwd, clock);
  if (result.type !== 'ready') throw new Error(result.why);
  return result.value.text;
};
/** Puts a program named `git` before the real one. */
const shim = (script: string) => {
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin', 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, 'bin', 'git'), 0o755);
  env['PATH'] = `${join(root, 'bin')}:${env['PATH']}`;
};

test('a snapshot says when it was taken, and all that a person would look up', async () => {
  repository();
  sh('git switch -q -c topic/x && echo b > b.txt && echo aa > a.txt && mkdir "été 1" && touch "été 1/c.txt"');
  const id = sh('git rev-parse --short HEAD').trim();
  expect(await textOf()).toBe(
    [
      'Git snapshot, taken 2031-03-02 09:05. It does not update during the conversation.',
      'Current branch: topic/x',
      'Main branch: main',
      'Git user: Ada',
      'Status:',
      ' M a.txt',
      '?? b.txt',
      '?? "été 1/"',
      'Recent commits:',
      `${id} first`,
    ].join('\n'),
  );
});

test('it is taken anew at every read', async () => {
  repository();
  const source = gitSnapshot({ cwd: work, clock: patient, env });
  const { signal } = new AbortController();
  const [first, same] = [await source.read(signal), await source.read(signal)];
  sh('git switch -q -c other');
  const second = await source.read(signal);
  expect(first).toEqual(same);
  expect(second).toMatchObject({ type: 'ready', value: { text: expect.stringContaining('Current branch: other') } });
  expect(second).not.toMatchObject({ version: first.type === 'ready' && first.version });
});

describe('the branch', () => {
  test('is the same from a folder below, with paths relative to it', async () => {
    repository();
    sh('git switch -q -c develop-x && mkdir -p sub/deep && echo x > sub/deep/n.txt');
    const text = await textOf(join(work, 'sub/deep'));
    expect(text).toContain('Current branch: develop-x\n');
    expect(text).toContain('?? ../\n');
  });

  test('of a detached HEAD is none', async () => {
    repository();
    sh('git commit -q --allow-empty -m second && git checkout -q HEAD~1');
    const id = sh('git rev-parse --short HEAD').trim();
    expect(await textOf()).toContain(`Current branch: none (detached at ${id})\n`);
  });

  test('of a repository without commits is there', async () => {
    sh('git init -q -b fresh . && touch a.txt && git add a.txt');
    const text = await textOf();
    expect(text).toContain('Current branch: fresh\n');
    expect(text).toContain('A  a.txt');
    expect(text).toContain('Recent commits: no commits yet');
    expect(text).not.toMatch(/fatal|Main branch/);
  });

  test('of a worktree is the worktree’s, of a submodule the submodule’s', async () => {
    repository();
    sh('git worktree add -q ../tree -b branch-tree');
    expect(await textOf(join(root, 'tree'))).toContain('Current branch: branch-tree\n');
    sh('git -c protocol.file.allow=always submodule add -q "$PWD" sub 2>/dev/null && git -C sub switch -q -c branch-sub');
    expect(await textOf(join(work, 'sub'))).toContain('Current branch: branch-sub\n');
    expect(await textOf()).toContain('Current branch: main\n');
  });
});

describe('what is half done is named:', () => {
  const conflict =
    'git switch -q -c topic-y && echo t > a.txt && git commit -q -am t && git switch -q main && echo m > a.txt && git commit -q -am m';
  test.each([
    ['rebase', 'git switch -q topic-y && git rebase main', /^Current branch: topic-y \(rebase in progress, detached at [0-9a-f]+\)$/m],
    [
      'rebase by patches',
      'git switch -q topic-y && git rebase --apply main',
      /^Current branch: topic-y \(rebase in progress, detached at [0-9a-f]+\)$/m,
    ],
    ['merge', 'git merge topic-y', /^Current branch: main \(merge in progress\)$/m],
    ['cherry-pick', 'git cherry-pick topic-y', /^Current branch: main \(cherry-pick in progress\)$/m],
    ['revert', 'git revert --no-edit HEAD~1', /^Current branch: main \((revert in progress)\)$/m],
    [
      'bisect',
      'git bisect start && git bisect bad && git bisect good HEAD~1 && git checkout -q HEAD~1',
      /^Current branch: main \(bisect in progress, detached at [0-9a-f]+\)$/m,
    ],
  ])('%s', async (name, command, line) => {
    repository();
    sh(`${conflict}; ${name === 'revert' ? 'echo mm > a.txt; git commit -q -am mm;' : ''} { ${command}; } >/dev/null 2>&1 || true`);
    expect(await textOf()).toMatch(line);
  });
});

describe('the main branch', () => {
  const line = async () => /^Main branch: .*$/m.exec(await textOf())?.[0];

  test('is what the remote calls it, also when there is no such branch here', async () => {
    sh('git init -q -b trunk-x up && git -C up commit -q --allow-empty -m one', root);
    sh('git clone -q ../up . && git switch -q -c feat-only && git branch -q -D trunk-x');
    expect(await line()).toBe('Main branch: trunk-x');
  });

  test('is else the configured one, main or master, if it exists', async () => {
    repository('master');
    sh('git switch -q -c feat');
    expect(await line()).toBe('Main branch: master');
    sh('git config init.defaultBranch trunk');
    expect(await line()).toBe('Main branch: master');
    sh('git branch trunk');
    expect(await line()).toBe('Main branch: trunk');
  });

  test('is never guessed from the current one', async () => {
    repository('feat-only');
    expect(await line()).toBe(undefined);
  });
});

describe('the status', () => {
  test('of a clean tree is clean', async () => {
    repository();
    expect(await textOf()).toContain('\nStatus: clean\n');
  });

  test('is cut at a line, and says how much is left out', async () => {
    repository();
    for (let n = 0; n < 600; n++) writeFileSync(join(work, `junk-file-${n}.🧊`), '');
    const lines = /^Status:\n([^]*)\nRecent commits:/m.exec(await textOf())?.[1]?.split('\n') ?? [];
    const more = lines.pop();
    expect(lines.join('\n').length).toBeLessThanOrEqual(2000);
    for (const line of lines) expect(line).toMatch(/^\?\? junk-file-\d+\.🧊$/);
    expect(more).toBe(`+${600 - lines.length} more`);
  });

  test('of a tree with more than can be listed is bounded', async () => {
    repository();
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    shim(`case "$*" in *" status "*) exec yes "?? a file that is not known to git";; esac\nexec ${real} "$@"`);
    const text = await textOf();
    expect(text).toMatch(/\nmore than \d+ more\nRecent commits:\n/);
    expect(text.length).toBeLessThan(3000);
  });
});

test('long and hostile names stay one capped line each', async () => {
  repository();
  const subject = `${'x'.repeat(198)}🧊🧊`;
  writeFileSync(join(root, 'message'), `${subject}\u001b[31m\n\nbody`);
  sh('git commit -q --allow-empty -F ../message && git config user.name "$(printf "A\\033[31mda")"');
  const text = await textOf();
  expect(text.isWellFormed()).toBe(true);
  expect(text).toContain(`${'x'.repeat(198)}…\n`);
  expect(text).not.toMatch(/\u001b|body/);
  expect(text).toContain('Git user: A [31mda\n');
});

describe('where there is nothing to tell', () => {
  test('no repository is an empty text', async () => {
    expect(await reading()).toMatchObject({ type: 'ready', value: { text: '' } });
  });

  test('a bare repository, and a git folder, are called that', async () => {
    sh('git init -q --bare -b branch-kilo .');
    const text = await textOf();
    expect(text).toContain('bare repository');
    expect(text).toContain('Current branch: branch-kilo');
    expect(text).not.toMatch(/fatal|Status/);
    sh('git init -q -b main plain', root);
    expect(await textOf(join(root, 'plain/.git'))).toContain('no working tree here');
  });

  test('a repository that git refuses is told in one line, and nothing is configured', async () => {
    mkdirSync(join(work, '.git'));
    shim('echo "fatal: detected dubious ownership in repository at \'$PWD\'" >&2; exit 128');
    expect(await textOf()).toBe(`Git does not work in this repository: detected dubious ownership in repository at '${work}'`);
    expect(existsSync(join(root, '.gitconfig'))).toBe(false);
  });

  test('a broken repository is told without the words of a crash', async () => {
    writeFileSync(join(work, '.git'), 'gitdir: /no/such/folder\n');
    expect(await textOf()).toBe('Git does not work in this repository: not a git repository: /no/such/folder');
  });

  test('no git, no folder: unavailable, with why', async () => {
    expect(await reading()).toMatchObject({ type: 'ready' });
    mkdirSync(join(work, '.git'));
    env['PATH'] = root;
    expect(await reading()).toEqual({ type: 'unavailable', why: "git can't be run (ENOENT)" });
    expect(await reading(join(root, 'gone'))).toMatchObject({ type: 'unavailable', why: expect.stringContaining('gone') });
  });
});

describe('a git that hangs', () => {
  /** Its time is up once git waits, which the shim tells by a file. */
  const impatient = (): Ports['clock'] => ({
    ...patient,
    async sleep(_ms, signal) {
      while (!existsSync(join(root, 'waiting')) && !signal.aborted) await new Promise((resolve) => setImmediate(resolve));
    },
  });

  test('at once is unavailable; its processes are gone', async () => {
    mkdirSync(join(work, '.git'));
    shim('sleep 1000 &\necho $! > "$HOME/pid.new"; mv "$HOME/pid.new" "$HOME/pid"; touch "$HOME/waiting"; wait');
    expect(await reading(work, impatient())).toEqual({ type: 'unavailable', why: 'git did not answer in time' });
    const pid = readFileSync(join(root, 'pid'), 'utf8').trim();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('in the status leaves the rest', async () => {
    repository();
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    // Time is up once the three other commands have answered, and none of them is left.
    shim(`all_done() { [ "$(wc -l < "$HOME/done")" -ge 3 ] && [ "$(pgrep -P $PPID -f "$0" | wc -l)" -le 1 ]; }
case "$*" in *" status "*) until all_done; do sleep 0.01; done; touch "$HOME/waiting"; exec sleep 1000;; esac
${real} "$@"; code=$?; echo x >> "$HOME/done"; exit $code`);
    const text = await textOf(work, impatient());
    expect(text).toContain('\nStatus: not known (git did not answer in time)\n');
    expect(text).toContain('Current branch: main\n');
  });

  test('is left when the caller gives up', async () => {
    mkdirSync(join(work, '.git'));
    shim('touch "$HOME/waiting"; exec sleep 1000');
    const stop = new AbortController();
    const read = gitSnapshot({ cwd: work, clock: patient, env }).read(stop.signal);
    await expect.poll(() => existsSync(join(root, 'waiting'))).toBe(true);
    stop.abort();
    expect(await read).toMatchObject({ type: 'unavailable' });
  });
});

test('every call is free of locks, of prompts and of programs that a repository configures', async () => {
  repository();
  sh('git config core.fsmonitor "touch $HOME/ran; false"');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  shim(`echo "$GIT_OPTIONAL_LOCKS $GIT_TERMINAL_PROMPT $*" >> "$HOME/git.log"\nexec ${real} "$@"`);
  const index = readFileSync(join(work, '.git/index'));
  sh('touch -d "2 hours ago" a.txt');
  await textOf();
  const calls = readFileSync(join(root, 'git.log'), 'utf8').trim().split('\n');
  expect(calls.length).toBe(5);
  for (const call of calls) expect(call).toMatch(/^0 0 --no-pager --no-optional-locks /);
  expect(readFileSync(join(work, '.git/index')).equals(index)).toBe(true);
  expect(existsSync(join(root, 'ran'))).toBe(false);
});

test.each(['clean', 'process'])('a %s filter that the repository itself defines is not run; the rest of the status stays', async (kind) => {
  repository();
  sh('echo "* filter=own" > .gitattributes; git add .; git commit -qm filtered');
  sh(`git config filter.own.${kind} "touch $HOME/ran; cat"; git config filter.own.required true`);
  sh('touch -d "2 hours ago" a.txt; echo more > new.txt');
  const text = await textOf();
  expect(existsSync(join(root, 'ran'))).toBe(false);
  expect(text).toContain('?? new.txt');
  expect(text).not.toContain('M a.txt');
});

test('where git can not list the filters of a repository, none is run and the status is not known', async () => {
  repository();
  sh('echo "* filter=own" > .gitattributes; git add .; git commit -qm filtered; git config filter.own.clean "touch $HOME/ran; cat"');
  sh('touch -d "2 hours ago" a.txt');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  shim(`case "$*" in *--show-scope*) echo "error: unknown option" >&2; exit 129;; esac\nexec ${real} "$@"`);
  const text = await textOf();
  expect(existsSync(join(root, 'ran'))).toBe(false);
  expect(text).toContain('git does not list its filters');
  expect(text).toContain('filtered');
});

function isRunning(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
