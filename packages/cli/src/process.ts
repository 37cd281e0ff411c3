/** Joins the command to this process: its streams, its signals, its exit status. */
import { userInfo } from 'node:os';
import { endingStatus, notice, type Ending, type Io } from './io.js';
import { UsageError } from './usage-error.js';

/** Milliseconds that output still has to drain when the run has ended. */
const DRAIN = 2_000;

/** Shows the cursor, and takes back bracketed paste and the keyboard protocols that a screen may have asked for. */
const RESTORE = '\u001b[?25h\u001b[?2004l\u001b[<u\u001b[>4;0m';

/** Runs the command and ends the process: nothing that still holds the event loop can keep it alive. */
export async function runProcess(args: readonly string[]): Promise<never> {
  const ending = new AbortController();
  const end = (reason: Ending): void => {
    // The second signal does not wait for anything.
    if (ending.signal.aborted && reason !== 'EPIPE') process.exit(endingStatus(reason));
    ending.abort(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  let unwritten: string | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') unwritten ??= error.code ?? error.message;
    end('EPIPE');
  });
  process.stderr.on('error', () => {});
  const debug = args.includes('--debug');
  const failed = (error: unknown, told?: string): void => {
    notice(process, failureLine(error, { debug, told }));
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      if (process.stdout.isTTY) process.stdout.write(RESTORE);
      failed(error);
      process.exit(1);
    });
  }
  let status: number;
  try {
    const io: Io = {
      args,
      env: process.env,
      cwd: workingFolder(),
      home: process.env['HOME'] || homeFolder(),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      signal: ending.signal,
    };
    status = await (await import('./run.js')).run(io);
  } catch (error) {
    failed(error, (await import('./failure-text.js')).failureText(error));
    status = UsageError.isInstance(error) ? 2 : 1;
  }
  await Promise.race([drained(), new Promise((resolve) => setTimeout(resolve, DRAIN))]);
  if (unwritten !== undefined) {
    failed(new Error(`standard output can't be written to (${unwritten}), so what was said there is not complete`));
    status ||= 1;
  }
  process.exit(status);
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new Error('the current directory is not there any more: cd to one that is');
  }
}

/** What the system says of the user, when the environment says nothing. */
function homeFolder(): string {
  try {
    return userInfo().homedir;
  } catch {
    throw new Error('there is no home directory: set HOME to a folder that can be written to');
  }
}

/** One line for a person, of what they are told or the error's own words; with `debug` also where it came from. */
function failureLine(error: unknown, { debug, told }: { readonly debug: boolean; readonly told: string | undefined }): string {
  if (!(error instanceof Error)) return String(error);
  return debug && error.stack !== undefined ? error.stack : ((told ?? error.message).split('\n')[0] ?? error.name);
}

/** All that was written has reached whoever reads. */
async function drained(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => void stream.write('', () => resolve()))),
  );
}
