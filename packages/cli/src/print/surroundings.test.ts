/** The command as a process in surroundings that are broken: it says what is wrong, ends with the right status, and never hangs. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAIN } from './program.testing.js';

let root = '';

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-surroundings-')));
  await mkdir(join(root, 'home'));
  await mkdir(join(root, 'project'));
  await writeFile(join(root, 'answer.json'), '[[{"type":"text","text":"All good."}]]');
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

type Run = { readonly status: number | null; readonly out: string; readonly err: string };

/** `sh` runs `script`, in which `$SIDENOTE` is the command and `$MODEL` a scripted model. */
function shell(script: string, env: Record<string, string> = {}): Promise<Run> {
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: join(root, 'project'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: join(root, 'home'),
      SIDENOTE: `${process.execPath} ${MAIN}`,
      MODEL: `script:${join(root, 'answer.json')}`,
      ...env,
    },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, out, err })));
}
const pipe = (path: string) => promisify(execFile)('mkfifo', [path]);

it('names a working directory that is gone', async () => {
  await mkdir(join(root, 'gone'));
  const run = await shell('cd ../gone && rmdir ../gone && $SIDENOTE -p hi --model $MODEL');
  expect(run).toEqual({ status: 1, out: '', err: 'sidenote: the current directory is not there any more: cd to one that is\n' });
});

it('asks the system for the home when HOME is empty', async () => {
  const run = await shell('$SIDENOTE doctor --model $MODEL', { HOME: '' });
  expect(run.out).toMatch(/configuration {2}\//);
});

it('takes a configuration folder that nobody can make as one that can’t be written to', async () => {
  const run = await shell('$SIDENOTE -p hi --model $MODEL', {
    SIDENOTE_CONFIG_DIR: existsSync('/proc/self') ? '/proc/none' : '/dev/null/none',
  });
  expect(run).toMatchObject({ status: 1, out: '' });
  expect(run.err).toMatch(/cannot write the session at .*--no-session-persistence/);
});

it.skipIf(!existsSync('/dev/full'))('does not take an answer that could not be written for a success', async () => {
  const run = await shell('$SIDENOTE -p hi --model $MODEL >/dev/full');
  expect(run.status).toBe(1);
  expect(run.err).toContain('ENOSPC');
  expect((await shell('$SIDENOTE --help >/dev/full')).status).toBe(1);
});

it('leaves pipes that stand where its files should be alone', async () => {
  await mkdir(join(root, 'home/.sidenote'));
  await mkdir(join(root, 'project/.sidenote'));
  await pipe(join(root, 'home/.sidenote/state.json'));
  await pipe(join(root, 'project/.sidenote/settings.json'));
  const run = await shell('$SIDENOTE -p hi --model $MODEL');
  expect(run).toMatchObject({ status: 0, out: 'All good.\n' });
  expect(run.err).toContain("settings.json: can't be read as settings (fifo)");
  await pipe(join(root, 'project/script'));
  expect(await shell('$SIDENOTE -p hi --model script:script')).toMatchObject({ status: 1, err: expect.stringContaining('not a file') });
  expect(await shell('$SIDENOTE -p hi --model $MODEL --system-prompt-file script')).toMatchObject({
    status: 2,
    err: "sidenote: --system-prompt-file script: can't be read as text (fifo)\n",
  });
});

it('does not go on without settings that were named on the command line', async () => {
  for (const named of ['nothing-here.json', '\'{"permissions": {"deny": ["Bash"]\'']) {
    const run = await shell(`$SIDENOTE -p hi --model $MODEL --settings ${named}`);
    expect(run).toMatchObject({ status: 2, out: '' });
    expect(run.err).toContain('--settings');
  }
});

it('shows what a server or a file says without obeying its escape sequences', async () => {
  await writeFile(
    join(root, 'answer.json'),
    JSON.stringify([{ error: { status: 400, type: 'invalid_request_error', message: '\u001b]0;title\u0007\u001b[31mno' } }]),
  );
  expect(await shell('$SIDENOTE -p hi --model $MODEL')).toEqual({ status: 1, out: '', err: 'sidenote: no\n' });
});

it('lists files and sessions without obeying what is in their names', async () => {
  await mkdir(join(root, 'project/.claude/rules'), { recursive: true });
  await writeFile(join(root, 'project/.claude/rules/red\u001b[31m.md'), 'Be red.\n');
  await shell('$SIDENOTE -p "$(printf "a \\033]0;title\\007 word")" --model $MODEL');
  for (const command of ['context', 'sessions', 'doctor']) {
    const run = await shell(`$SIDENOTE ${command} --model $MODEL`);
    expect(run.out).not.toBe('');
    expect(run.out + run.err).not.toContain('\u001b');
  }
});

it('reads a stream of prompts with a byte order mark, and ends a line without end', async () => {
  const line = '{"type":"user","message":{"role":"user","content":"hi"}}';
  await writeFile(join(root, 'marked'), `\ufeff${line}\n`);
  const args = '-p --model $MODEL --input-format stream-json --output-format stream-json';
  expect(await shell(`cat ../marked | $SIDENOTE ${args}`)).toMatchObject({ status: 0 });
  const run = await shell(`head -c 100000000 /dev/zero | tr '\\0' a | $SIDENOTE ${args}`);
  expect(run.status).toBe(1);
  expect(JSON.parse(run.out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'result',
    is_error: true,
    result: expect.stringContaining('32 MB'),
  });
});
