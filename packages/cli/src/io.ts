/** What the command gets from its process, so that a test can be that process. */
import { clean } from './terminal/clean.js';

/** A sink of text: standard output, standard error, or a string in a test. */
export type Sink = { write(text: string): void };

export type Io = {
  /** Arguments after the program's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path. */
  readonly cwd: string;
  /** The person's home folder. */
  readonly home: string;
  readonly stdin: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean };
  readonly stdout: Sink & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Sink;
  /** Aborted by SIGINT, SIGTERM, SIGHUP, or when nobody reads standard output any more; the reason says which. */
  readonly signal: AbortSignal;
};

/** Why a run was ended from outside. */
export type Ending = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'EPIPE';

/** Exit status of a run that was ended from outside. A closed pipe is not a failure. */
export function endingStatus(reason: unknown): number {
  if (reason === 'EPIPE') return 0;
  if (reason === 'SIGHUP') return 129;
  return reason === 'SIGTERM' ? 143 : 130;
}

/** What a command of the client tells a person. Names of files and words of others are in it: no escape sequence of theirs is obeyed. */
export function say(io: Pick<Io, 'stdout'>, text: string): void {
  io.stdout.write(`${clean(text)}\n`);
}

/** One line on standard error. Notices never go to standard output, and obey no escape sequence of others that they quote. */
export function notice(io: Pick<Io, 'stderr'>, text: string): void {
  io.stderr.write(`sidenote: ${clean(text).replaceAll('\n', '\n  ')}\n`);
}
