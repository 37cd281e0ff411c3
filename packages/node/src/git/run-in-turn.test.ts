import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GitPlace } from './run-git.js';
import { runGitInTurn } from './run-in-turn.js';

let folder: string;
let stop: AbortController;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'in-turn-')));
  stop = new AbortController();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `git` is a program that runs its last argument in a shell, and notes it. */
function place(): GitPlace {
  const script = '#!/bin/sh\nfor last; do :; done; printf "%s\\n" "$last" >> "$NOTES/asked"; eval "$last"\n';
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  return { cwd: folder, env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, NOTES: folder }, signal: stop.signal };
}
const askedFor = () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n');

it('gives each command its own output, complaints and outcome', async () => {
  const answer = runGitInTurn(place(), {
    plain: { args: ["printf 'a\\nb'"] },
    failing: { args: ['echo half; echo why >&2; exit 3'] },
    silent: { args: ['true'] },
    quoting: { args: [`echo "it's" '$HOME' é`] },
  });
  expect(await answer('plain')).toEqual({ type: 'ended', ok: true, stdout: 'a\nb', stderr: '' });
  expect(await answer('failing')).toEqual({ type: 'ended', ok: false, stdout: 'half\n', stderr: 'why\n' });
  expect(await answer('silent')).toEqual({ type: 'ended', ok: true, stdout: '', stderr: '' });
  expect(await answer('quoting')).toMatchObject({ stdout: "it's $HOME é\n" });
  expect(askedFor()).toHaveLength(4);
});

it('gives output of many reads whole, with characters that two of them share', async () => {
  const answer = runGitInTurn(place(), {
    long: {
      args: ["i=0; while [ $i -lt 3000 ]; do echo '日本語の行がここに続きます。日本語の行がここに続きます。'; i=$((i+1)); done"],
      limit: 1e6,
    },
    after: { args: ['echo end'] },
  });
  const long = await answer('long');
  expect(long).toMatchObject({ type: 'ended', ok: true });
  expect(new Set(long.type === 'ended' ? long.stdout.trim().split('\n') : []).size).toBe(1);
  expect(await answer('after')).toMatchObject({ stdout: 'end\n' });
});

it('cuts one that says too much, and asks the rest one by one', async () => {
  const answer = runGitInTurn(place(), {
    first: { args: ['echo first'] },
    flood: { args: ['yes flood'], limit: 1000 },
    last: { args: ['echo last'] },
    guarded: { args: ['echo guarded'], unless: { args: ['true'], prints: ['x'] } },
  });
  expect(await answer('first')).toMatchObject({ type: 'ended', stdout: 'first\n' });
  expect(await answer('flood')).toMatchObject({ type: 'cut', why: 'limit', stdout: expect.stringMatching(/^flood\n/) });
  expect(await answer('last')).toMatchObject({ type: 'ended', stdout: 'last\n' });
  expect(await answer('guarded')).toEqual({ type: 'left-out' });
  expect(askedFor().filter((line) => line === 'echo first')).toHaveLength(1);
});

it('of output that is cut gives each piece once', async () => {
  const count = 'i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done';
  const answer = runGitInTurn(place(), { first: { args: ['echo first'] }, flood: { args: [count], limit: 500 } });
  const flood = await answer('flood');
  const lines = flood.type === 'cut' ? flood.stdout.split('\n').slice(0, -1).map(Number) : [];
  expect(lines.length).toBeGreaterThan(100);
  expect(lines).toEqual([...lines.keys()]);
  const last = runGitInTurn(place(), { long: { args: ['echo much more than five'], limit: 5 }, after: { args: ['echo after'] } });
  expect(await last('long')).toEqual({ type: 'cut', why: 'limit', stdout: 'much more than five\n' });
  expect(await last('after')).toMatchObject({ stdout: 'after\n' });
});

it.each([
  ['finds nothing', 'exit 1', 'ended'],
  ['prints something else', 'echo "global filter.lfs.clean"', 'ended'],
  ['prints one of the words', 'echo "local filter.x.clean"', 'left-out'],
  ['prints another of them, on a later line', 'echo global; echo "worktree y"', 'left-out'],
  ['does not work', 'exit 129', 'left-out'],
])('whose guard %s', async (_, guard, type) => {
  const answer = runGitInTurn(place(), {
    guarded: { args: ['touch ran'], unless: { args: [guard], prints: ['local', 'worktree'] } },
    after: { args: ['echo after'] },
  });
  expect(await answer('guarded')).toMatchObject({ type });
  expect(existsSync(join(folder, 'ran'))).toBe(type === 'ended');
  expect(await answer('after')).toMatchObject({ stdout: 'after\n' });
});

it('at an abort gives what there is of the running one, and ends it', async () => {
  const answer = runGitInTurn(place(), {
    first: { args: ['echo first'] },
    hanging: { args: ['echo begun; echo $$ > pid; exec sleep 1000'] },
    last: { args: ['echo last'] },
  });
  expect(await answer('first')).toMatchObject({ type: 'ended' });
  await expect.poll(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8')).toMatch(/\d/);
  stop.abort();
  expect(await answer('hanging')).toEqual({ type: 'cut', why: 'aborted', stdout: 'begun\n' });
  expect(await answer('last')).toMatchObject({ type: 'cut', why: 'aborted' });
  const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
  await expect
    .poll(() => execFileSync('sh', ['-c', `ps -o stat= -p ${pid} | grep -q '^[^Z]' || echo gone`], { encoding: 'utf8' }))
    .toBe('gone\n');
});

it('waits for no process that keeps the streams open', async () => {
  const answer = runGitInTurn(place(), { leaving: { args: ['sleep 1000 & echo done'] }, after: { args: ['echo after'] } });
  expect(await answer('leaving')).toMatchObject({ type: 'ended', stdout: 'done\n' });
  expect(await answer('after')).toMatchObject({ stdout: 'after\n' });
});

it('says when there is no git', async () => {
  const answer = runGitInTurn({ cwd: folder, env: { PATH: folder }, signal: stop.signal }, { any: { args: ['status'] } });
  expect(await answer('any')).toEqual({ type: 'not-started', why: 'ENOENT' });
});
