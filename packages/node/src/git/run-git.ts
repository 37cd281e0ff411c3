/** One read-only git command: takes no lock, asks nothing, changes nothing, and ends in time. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { codeOf } from '../files/failure.js';

export type GitOutput =
  | { readonly type: 'ended'; readonly ok: boolean; readonly stdout: string; readonly stderr: string }
  /** Stopped by us; `stdout` is what had come. */
  | { readonly type: 'cut'; readonly why: 'limit' | 'aborted'; readonly stdout: string }
  | { readonly type: 'not-started'; readonly why: string };

export type GitPlace = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Settings on top of ours: key and value. */
  readonly settings?: readonly (readonly [string, string])[];
};

/** Configuration that would run programs, wait for them, or colour, quote and reshape what is read. */
const settings = [
  ['core.quotepath', 'false'],
  ['core.fsmonitor', 'false'],
  ['log.showSignature', 'false'],
  ['color.ui', 'false'],
  ['status.relativePaths', 'true'],
  ['status.branch', 'false'],
  ['status.showStash', 'false'],
  ['column.status', 'never'],
] as const;
const variables = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  // What is not here is not fetched: that would go through programs that the repository may name.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/** The variables of a call; settings that the caller's own variables hold stay, and ours come after them. */
function variablesOf({ env, settings: more = [] }: GitPlace): Record<string, string | undefined> {
  const given = Number.parseInt(env['GIT_CONFIG_COUNT'] ?? '', 10) || 0;
  const all = [...settings, ...more];
  const own = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, key],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return { ...env, ...variables, ...Object.fromEntries(own), GIT_CONFIG_COUNT: String(given + all.length) };
}

/** Bytes of output that no usual answer of git reaches. */
export const usualLimit = 64 * 1024;

/** What stands before the arguments of every command. */
export const gitWords = ['--no-pager', '--no-optional-locks'] as const;

/** Starts what runs git, in a process group of its own where there are such. */
export function startGit(place: GitPlace, command: string, args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(command, args, {
    cwd: place.cwd,
    env: variablesOf(place),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** Runs `git <args>`. After `limit` bytes of output (default 64 KiB) or an abort, the whole process group is killed. Never rejects. */
export function runGit(place: GitPlace, args: readonly string[], limit = usualLimit): Promise<GitOutput> {
  const { signal } = place;
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ type: 'cut', why: 'aborted', stdout: '' });
    const child = startGit(place, 'git', [...gitWords, ...args]);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let received = 0;
    const stdout = () => Buffer.concat(out).toString('utf8');

    const end = (output: GitOutput) => {
      signal.removeEventListener('abort', abort);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(output);
    };
    const stop = (why: 'limit' | 'aborted') => {
      endGit(child);
      // When git itself is through and only a child of it keeps the pipe open, its output is whole.
      if (child.exitCode === null) end({ type: 'cut', why, stdout: stdout() });
      else end({ type: 'ended', ok: child.exitCode === 0, stdout: stdout(), stderr: Buffer.concat(err).toString('utf8') });
    };
    const abort = () => stop('aborted');

    signal.addEventListener('abort', abort);
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk);
      received += chunk.length;
      if (received > limit) stop('limit');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (err.length < 16) err.push(chunk);
    });
    child.once('error', (error) => end({ type: 'not-started', why: codeOf(error) }));
    child.once('close', (code) => end({ type: 'ended', ok: code === 0, stdout: stdout(), stderr: Buffer.concat(err).toString('utf8') }));
  });
}

/** The command and whatever it started. */
export function endGit({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
