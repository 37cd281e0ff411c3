/** Several git commands for the price of starting one process: to start one, a large process is copied, and a shell is small. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { endGit, gitWords, runGit, startGit, usualLimit, type GitOutput, type GitPlace } from './run-git.js';

export type GitCommand = {
  readonly args: readonly string[];
  /** Characters of output. Default 64 Ki. */
  readonly limit?: number;
  /** The command is left out when this one prints any of these words, or fails otherwise than by having nothing to print. */
  readonly unless?: { readonly args: readonly string[]; readonly prints: readonly string[] };
};

export type GitAnswer = GitOutput | { readonly type: 'left-out' };

/**
 * Runs them in their order; what it returns gives the answer to one, as soon as that is there. A limit or an abort ends the
 * command that is running, as with `runGit`. What the shell did not come to is asked by itself, and so is everything where
 * there is no shell: then what has an `unless` is left out.
 */
export function runGitInTurn<Name extends string>(
  place: GitPlace,
  commands: Readonly<Record<Name, GitCommand>>,
): (name: Name) => Promise<GitAnswer> {
  const alone = ({ args, limit, unless }: GitCommand): Promise<GitAnswer> =>
    unless === undefined ? runGit(place, args, limit) : Promise.resolve({ type: 'left-out' });
  if (process.platform === 'win32' || place.signal.aborted) return (name) => alone(commands[name]);

  const mark = randomUUID();
  const sections = Object.values<GitCommand>(commands).map(newSection);
  const child = startGit(place, '/bin/sh', ['-c', scriptOf(sections, mark)]);
  /** Idempotent: a process that could not be started ends in two events. */
  const end = (): void => {
    place.signal.removeEventListener('abort', abort);
    child.stdout.destroy();
    child.stderr.destroy();
    for (const section of sections) {
      if (!section.isAnswered) section.answer(section.status === undefined ? alone(section.command) : answerOf(section));
    }
  };
  const stop = (why: 'limit' | 'aborted'): void => {
    endGit(child);
    const cut = sections.find(({ status }) => status === undefined);
    cut?.answer({ type: 'cut', why, stdout: cut.stdout.join('') + unread() });
    end();
  };
  // Streams are read between two such moments: what git has written until now is not lost.
  const abort = (): void => void setImmediate(() => setImmediate(() => stop('aborted')));
  const closed = (section: Section | undefined): void => {
    section?.close();
    if (sections.every(({ isAnswered }) => isAnswered)) stop('aborted');
  };

  place.signal.addEventListener('abort', abort);
  const unread = follow(child.stdout, mark, {
    text(index, words) {
      const section = sections[index];
      if (section?.take(words) === 'full') stop('limit');
    },
    end(index, status) {
      const section = sections[index];
      if (section !== undefined) section.status = status;
      closed(section);
    },
  });
  follow(child.stderr, mark, {
    text(index, words) {
      const stderr = sections[index]?.stderr;
      if (stderr !== undefined && stderr.length < 16) stderr.push(words);
    },
    end: (index) => closed(sections[index]),
  });
  child.once('error', end);
  child.once('close', end);
  return (name) => sections.find(({ command }) => command === commands[name])?.answered ?? alone(commands[name]);
}

type Section = ReturnType<typeof newSection>;

/** What comes of one command. It is whole when both streams have been closed. */
function newSection(command: GitCommand) {
  let resolve: (answer: GitAnswer | Promise<GitAnswer>) => void = () => {};
  let open = 2;
  let size = 0;
  const section = {
    command,
    answered: new Promise<GitAnswer>((settle) => (resolve = settle)),
    isAnswered: false,
    stdout: [] as string[],
    stderr: [] as string[],
    /** Undefined until its output has ended. */
    status: undefined as string | undefined,
    take(words: string): 'full' | 'room' {
      section.stdout.push(words);
      size += words.length;
      return size > (command.limit ?? usualLimit) ? 'full' : 'room';
    },
    answer(answer: GitAnswer | Promise<GitAnswer>) {
      if (section.isAnswered) return;
      section.isAnswered = true;
      resolve(answer);
    },
    close() {
      if (--open === 0) section.answer(answerOf(section));
    },
  };
  return section;
}

function answerOf({ status, stdout, stderr }: Pick<Section, 'status' | 'stdout' | 'stderr'>): GitAnswer {
  switch (status) {
    case leftOut:
      return { type: 'left-out' };
    // So a shell says that there is no such program, or none that may be run.
    case '127':
      return { type: 'not-started', why: 'ENOENT' };
    case '126':
      return { type: 'not-started', why: 'EACCES' };
    default:
      return { type: 'ended', ok: status === '0', stdout: stdout.join(''), stderr: stderr.join('') };
  }
}

const leftOut = '-';

/** After each command a line on both streams: the mark, and on which status it ended. */
function scriptOf(sections: readonly Section[], mark: string): string {
  const ended = `printf '\\n${mark} %s\\n' "$s"; printf '\\n${mark} %s\\n' "$s" >&2`;
  return sections
    .map(({ command: { args, unless } }) => {
      const run = `${gitLine(args)}; s=$?`;
      if (unless === undefined) return `${run}; ${ended}`;
      const found = unless.prints.map((word) => `0:*${quoted(word)}*`).join('|');
      return `s=${leftOut}; f=$(${gitLine(unless.args)} 2>/dev/null)
case "$?:$f" in ${found}) ;; 0:*|1:) ${run};; esac; ${ended}`;
    })
    .join('\n');
}

const gitLine = (args: readonly string[]): string => ['git', ...gitWords, ...args].map(quoted).join(' ');
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Tells what a stream says of each command, and where that ends. What it returns gives the last words, which may be a mark in part. */
function follow(
  stream: Readable,
  mark: string,
  on: { readonly text: (index: number, words: string) => void; readonly end: (index: number, status: string) => void },
): () => string {
  const line = new RegExp(`\\n${mark} (\\S+)\\n`);
  const longest = mark.length + 8;
  let index = 0;
  let rest = '';
  /** What is handed on is read: whoever takes it may ask for what is not. */
  const hand = (length: number): void => {
    if (length <= 0) return;
    const words = rest.slice(0, length);
    rest = rest.slice(length);
    on.text(index, words);
  };
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk;
    for (let found = line.exec(rest); found !== null; found = line.exec(rest)) {
      hand(found.index);
      rest = rest.slice(found[0].length);
      on.end(index++, found[1] ?? '');
    }
    // A mark may have come in part.
    hand(rest.length - longest);
  });
  return () => rest.slice(0, line.exec(rest)?.index);
}
