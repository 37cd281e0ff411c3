/** Runs one shell command under a deadline and a signal, and always comes back: with its output, or with why there is none. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { captureOutput, type Captured, type CaptureOptions } from './capture.js';
import { commandMark, endTree } from '@sidenote/node';

export type CommandOptions = {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where long output is kept. */
  readonly capture: CaptureOptions;
  /** Milliseconds; default: no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Output as it arrives, stdout and stderr in one stream. */
  readonly onOutput?: (text: string) => void;
  /** Path of the shell that gets `-c command`. Default: bash where there is one, else sh. */
  readonly shell?: string;
  /** Milliseconds between SIGTERM and SIGKILL. Default 1,000. */
  readonly graceMs?: number;
};

export type CommandResult =
  | (Captured & {
      readonly type: 'ended';
      /** Null when a signal ended it. */
      readonly exit: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly timedOut: boolean;
      readonly aborted: boolean;
    })
  | { readonly type: 'not-started'; readonly why: string };

/** Milliseconds that output still in the pipe has after the shell ended while another process holds the pipe open. */
const drainMs = 200;

/**
 * Runs `command` with an empty stdin, in a process group and session of its own. On timeout or abort the whole tree is
 * ended before this resolves. A process that a command left behind (`server &`) lives on and doesn't hold up the result.
 */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const { command, cwd, env, signal, graceMs = 1_000 } = options;
  if (signal?.aborted) {
    return { type: 'ended', exit: null, signal: null, timedOut: false, aborted: true, output: '', totalChars: 0 };
  }
  if (!existsSync(cwd)) return { type: 'not-started', why: `the working directory ${cwd} does not exist` };
  const mark = randomUUID();
  const shell = options.shell ?? ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
  // One pipe for both streams keeps their order; the inner shell is left to see nothing but the command.
  const args = ['-c', 'exec "$@" 2>&1', 'sh', shell, '-c', command];
  let child;
  try {
    child = spawn('/bin/sh', args, {
      cwd,
      env: { ...env, [commandMark]: mark },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
  } catch (error) {
    return { type: 'not-started', why: explain(error) };
  }
  const stdout = child.stdout;
  const failed = new Promise<{ readonly error: unknown }>((resolve) => child.once('error', (error) => resolve({ error })));
  const exited = new Promise<{ exit: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (exit, name) => resolve({ exit, signal: name })),
  );
  const closed = new Promise<void>((resolve) => stdout.once('close', resolve));
  const { pid } = child;
  if (pid === undefined) return { type: 'not-started', why: explain((await failed).error) };

  const capture = captureOutput(options.capture);
  const decoder = new StringDecoder('utf8');
  const take = (text: string): void => {
    if (text === '') return;
    capture.add(text);
    options.onOutput?.(text);
  };
  const onData = (bytes: Buffer): void => take(decoder.write(bytes));
  stdout.on('data', onData);

  let reason: 'timeout' | 'abort' | undefined;
  let stop = (_why: 'timeout' | 'abort'): void => {};
  const stopped = new Promise<{ exit: null; signal: NodeJS.Signals | null }>((resolve) => {
    stop = (why) => {
      if (reason !== undefined) return;
      reason = why;
      void endTree({ pid, mark }, graceMs).then(() => resolve({ exit: null, signal: 'SIGKILL' }));
    };
  });
  const onAbort = (): void => stop('abort');
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });

  const ended = await Promise.race([exited, stopped]);
  clearTimeout(timer);
  signal?.removeEventListener('abort', onAbort);
  if (reason !== undefined) await stopped;
  const drained = await within(closed, drainMs);
  stdout.off('data', onData);
  if (!drained) leave(stdout);
  take(decoder.end());
  return { type: 'ended', ...ended, timedOut: reason === 'timeout', aborted: reason === 'abort', ...capture.end() };
}

/** Reads on without keeping anything, so that a process left behind isn't ended by a closed pipe; never holds this process open. */
function leave(stdout: NodeJS.ReadableStream): void {
  stdout.resume();
  if ('unref' in stdout) (stdout as Socket).unref();
}

async function within(done: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const result = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return result;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'E2BIG' ? 'the command is too long: put it into a script file and run that' : error.message;
}
