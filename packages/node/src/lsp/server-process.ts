/** The process of a language server and the conversation with it, ended with all that it started. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { commandMark, endTree } from '../process/end-tree.js';
import { pacedReader } from './paced-reader.js';
import type { ServerEntry } from './server-entry.js';

export type ServerProcess = {
  readonly connection: MessageConnection;
  end(): Promise<void>;
};

/** Bytes without a whole message; a server that sends more is ended. What has no head is looked through again with each piece. */
const LONGEST = 4 * 1024 * 1024;
/** Characters of standard error that are kept. */
const COMPLAINT = 2_000;
/** Milliseconds to end after it was asked to. */
const GRACE = 300;

/** `ended` is told once, with why, unless it was ended from here. */
export async function startProcess(
  entry: ServerEntry,
  how: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly ended: (why: string) => void },
): Promise<ServerProcess> {
  const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = await import('vscode-jsonrpc/node');
  const mark = randomUUID();
  const child = spawn(entry.command, [...entry.args], {
    cwd: how.cwd,
    env: { ...how.env, ...entry.env, [commandMark]: mark },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  const kill = (): void => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  };
  process.on('exit', kill);
  let isOver = false;
  let complaint = '';
  let unread = 0;
  const reader = pacedReader(new StreamMessageReader(child.stdout), child.stdout);
  const connection = createMessageConnection(reader, new StreamMessageWriter(child.stdin), QUIET, {
    messageStrategy: {
      handleMessage(message, next) {
        unread = 0;
        // Without it, an answer that can't be written any more would be nobody's failure, and end this process.
        return next(message);
      },
    },
  });
  const over = (why?: string): void => {
    if (isOver) return;
    isOver = true;
    process.off('exit', kill);
    connection.dispose();
    if (why !== undefined) how.ended(why);
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-COMPLAINT)));
  child.stdout.on('data', (chunk: Buffer) => {
    unread += chunk.length;
    if (unread <= LONGEST) return;
    kill();
    child.stdout.destroy();
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.once('error', ({ message }) => over(message));
  child.once('exit', (code, signal) => {
    const last = stripVTControlCharacters(complaint).trim().split('\n').at(-1) ?? '';
    over(`it ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}${last === '' ? '' : ` (${last.slice(0, 200)})`}`);
    // What it started may still run.
    kill();
  });
  connection.onError(() => undefined);
  connection.listen();
  return {
    connection,
    async end() {
      over();
      if (pid !== undefined) await endTree({ pid, mark }, GRACE);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      child.unref();
    },
  };
}

const QUIET = { error: () => undefined, warn: () => undefined, info: () => undefined, log: () => undefined };
