/** A server that speaks over its standard streams: started in a process group of its own, so that nothing of it outlives the session. */
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

export type ProcessOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
};

export interface ServerProcess {
  /** Resolves when the process runs; rejects when it can't be started. */
  readonly started: Promise<void>;
  /** Whole lines of its output, as they come; what came before is given first. `end` follows the last one. */
  listen(on: { line(text: string): void; end(why: string): void }): void;
  /** Resolves when it may take more. Rejects when it is gone. */
  write(text: string): Promise<void>;
  /** The last lines of its standard error, without control characters. */
  complaint(): string;
  /** Closes its input, then asks it to end, then makes it; resolves when its group is gone or was killed. */
  end(): Promise<void>;
}

/** Bytes of one line; a server that sends more is ended. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Characters of standard error that are kept. */
const COMPLAINT = 4_000;
/** `TypeError: x`, `Error [CODE]: x`, `mcp.errors.ConfigError: x`: how runtimes begin the line that says what went wrong. */
const NAMES_ERROR = /^(?:[\w.]{0,200}(?:Error|Exception))(?: \[\w{1,60}\])?: \S/;
/** Milliseconds for a server to end after its input was closed, and after it was asked to. */
const PATIENCE = [250, 500] as const;

/** Milliseconds for what a server has written before it ended. */
const LAST_WORDS = 200;

/** Groups that are still there if the process itself ends without a word. */
const running = new Set<number>();
const killAll = (): void => running.forEach((pid) => signal(pid, 'SIGKILL'));

export function startServer({ command, args, env, cwd }: ProcessOptions): ServerProcess {
  const child = spawn(command, [...args], { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true, windowsHide: true });
  let complaint = '';
  let gone: string | undefined;
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
  started.catch(() => undefined);
  if (child.pid !== undefined) {
    if (running.size === 0) process.on('exit', killAll);
    running.add(child.pid);
  }
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  let over = (): void => undefined;
  const isOver = new Promise<void>((resolve) => (over = resolve));
  /** How it ended, also where nobody listened yet; undefined: it never ran. */
  const exited = new Promise<string | undefined>((resolve) => {
    child.once('exit', (code, name) => resolve(name === null ? `it ended with exit code ${code}` : `it was ended by ${name}`));
    child.once('error', () => resolve(undefined));
  });
  return {
    started,
    listen({ line, end }) {
      const finish = (why: string): void => {
        if (gone !== undefined) return;
        gone = why;
        over();
        end(why);
      };
      splitLines(child, {
        line,
        overlong: () => {
          finish(`it sent a line of more than ${LONGEST_LINE / 1024 / 1024} MB`);
          if (child.pid !== undefined) signal(child.pid, 'SIGKILL');
        },
      });
      child.once('error', (error) => finish(error.message));
      // Its last words may still be on their way; a child of its own could hold the stream open for ever.
      const spoken = new Promise<void>((resolve) => child.stdout?.once('close', resolve));
      void exited.then(async (why) => {
        if (why === undefined) return;
        await within(spoken, LAST_WORDS);
        finish(why);
      });
    },
    async write(text) {
      const { stdin } = child;
      if (gone !== undefined || stdin === null || !stdin.writable) {
        // Its input is closed a moment before it is known how it ended, and that says more.
        await within(isOver, 2 * LAST_WORDS);
        throw new Error(gone ?? 'its input is closed');
      }
      if (stdin.write(text)) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stdin.off('drain', done).off('close', done);
          resolve();
        };
        stdin.on('drain', done).on('close', done);
      });
    },
    complaint: () => lastWords(stripVTControlCharacters(complaint)),
    async end() {
      const { pid } = child;
      if (pid === undefined) return;
      child.stdin?.end();
      await within(exited, PATIENCE[0]);
      // Children of a server that has ended itself are still in its group.
      signal(pid, 'SIGTERM');
      await within(exited, PATIENCE[1]);
      signal(pid, 'SIGKILL');
      for (let n = 0; n < 20 && isThere(pid); n++) await rest(10);
      running.delete(pid);
      if (running.size === 0) process.off('exit', killAll);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      child.unref();
    },
  };
}

/** The line that names an error, behind which a crash prints its stack; without one the last three lines. */
function lastWords(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.findLast((line) => NAMES_ERROR.test(line)) ?? lines.slice(-3).join(' | ');
}

type Lines = { line(text: string): void; overlong(): void };

/** Bytes are put together once per line, however many pieces it came in. */
function splitLines(child: ChildProcess, { line, overlong }: Lines): void {
  let parts: Buffer[] = [];
  let size = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const text = Buffer.concat([...parts, chunk.subarray(from, at)]).toString('utf8');
      parts = [];
      size = 0;
      from = at + 1;
      if (text.trim() !== '') line(text);
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      size += chunk.length - from;
    }
    if (size <= LONGEST_LINE) return;
    parts = [];
    size = 0;
    overlong();
  });
}

async function within(done: Promise<unknown>, ms: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([done, rest(ms, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}

/** Some process of the group, or what is left of one that nobody has waited for. */
function isThere(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // Gone already.
  }
}
