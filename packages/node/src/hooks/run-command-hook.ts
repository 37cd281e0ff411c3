/** Runs the command of a hook: its input on stdin, its answer as soon as it has ended, whoever still holds its pipes. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { countText, messageOf } from '@sidenote/engine';
import { commandMark, endTree } from '../process/end-tree.js';
import { BoundedText, ENDLESS, KEPT } from './bounded-text.js';
import type { Handler } from './read-handler.js';

export type HookRun =
  | { readonly type: 'ended'; readonly exit: number; readonly stdout: string; readonly stderr: string; readonly cut: boolean }
  /** It could not be started, was ended from outside, or wrote without end. `why` is for a person. */
  | { readonly type: 'failed'; readonly why: string }
  | { readonly type: 'timed-out' }
  | { readonly type: 'aborted' };

export type RunOptions = {
  readonly handler: Handler;
  /** JSON text. */
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** What was started is being ended: for those who want to wait for that. */
  readonly ending?: ((done: Promise<void>) => void) | undefined;
};

/** Milliseconds that output still in the pipe has after the end. */
const DRAIN = 200;
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 500;

/** Never rejects. At its limit, or when the signal fires, it is left behind at once and ended with all that it has started. */
export async function runCommandHook(options: RunOptions & { readonly handler: Handler & { readonly type: 'command' } }): Promise<HookRun> {
  const { handler, input, signal, ending } = options;
  if (signal?.aborted === true) return { type: 'aborted' };
  const mark = randomUUID();
  const started = start(options, mark);
  if ('why' in started) return { type: 'failed', why: started.why };
  const { child } = started;
  const failed = new Promise<HookRun>((resolve) => child.once('error', (error) => resolve({ type: 'failed', why: error.message })));
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) return failed;
  // A hook need not read what it is given.
  stdin.on('error', () => undefined);
  stdin.end(input);
  const out = new BoundedText();
  const errors = new BoundedText();
  const endless = new Promise<{ readonly type: 'endless' }>((resolve) => {
    const take = (text: BoundedText) => (bytes: Buffer) => {
      text.add(bytes);
      if (text.isEndless) resolve({ type: 'endless' });
    };
    stdout.on('data', take(out));
    stderr.on('data', take(errors));
  });
  const closed = Promise.all([stdout, stderr].map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))));
  const exited = new Promise<{ readonly code: number | null; readonly name: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, name) => resolve({ code, name })),
  );
  const limit = deadline(handler.limitMs, signal);
  const first = await Promise.race([exited, failed, endless, limit.reached]);
  limit.clear();
  if ('code' in first) await Promise.race([closed, drained()]);
  else if (first.type !== 'failed') ending?.(endTree({ pid, mark }, GRACE));
  leave(stdin, stdout, stderr);
  if (!('code' in first))
    return first.type === 'endless' ? { type: 'failed', why: `it wrote more than ${ENDLESS / 1024 / 1024} MiB and was ended` } : first;
  const { code, name } = first;
  if (code === null) return { type: 'failed', why: `it was ended by ${name ?? 'a signal'}` };
  return { type: 'ended', exit: code, stdout: out.text, stderr: errors.text, cut: out.isCut || errors.isCut };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function start({ handler, cwd, env }: RunOptions, mark: string): { readonly child: Child } | { readonly why: string } {
  if (handler.type !== 'command') return { why: 'it is no command' };
  if (!existsSync(cwd)) return { why: `the working directory ${cwd} does not exist` };
  const shell = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
  const [program, args] = handler.args === undefined ? [shell, ['-c', handler.command]] : [handler.command, [...handler.args]];
  try {
    return {
      child: spawn(program, args, { cwd, env: { ...env, [commandMark]: mark }, stdio: ['pipe', 'pipe', 'pipe'], detached: true }),
    };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

function deadline(limitMs: number, signal: AbortSignal | undefined): { readonly reached: Promise<HookRun>; clear(): void } {
  let clear = (): void => undefined;
  const reached = new Promise<HookRun>((resolve) => {
    const timer = setTimeout(() => resolve({ type: 'timed-out' }), limitMs);
    const abort = (): void => resolve({ type: 'aborted' });
    signal?.addEventListener('abort', abort, { once: true });
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  });
  return { reached, clear: () => clear() };
}

/** The pipes have had their time, and one more look. */
async function drained(): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, DRAIN).unref());
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** What still holds the pipes may go on writing; nothing of it is kept, and it does not hold this process. */
function leave(stdin: Writable, ...outputs: readonly Readable[]): void {
  stdin.destroy();
  for (const stream of outputs) {
    stream.removeAllListeners('data');
    stream.resume();
    if ('unref' in stream) (stream as Socket).unref();
  }
}

/** For a person: how much of an output is read. */
export const KEPT_TEXT = `${countText(KEPT)} characters`;
