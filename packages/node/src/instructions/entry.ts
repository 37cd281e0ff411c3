/** What is said of a file: the entries of a report, each with a reason, and a warning where a person has to do something. */
import type { InstructionFile } from '@sidenote/engine';
import type { FileReading } from '../files/read.js';
import type { Exclude as ExcludeGlob } from './options.js';
import type { Place } from './locate.js';

/** Bytes of one file. */
export const maxInstructionBytes = 4 * 1024 * 1024;

/** Who imports a file, and where. */
export type Import = { readonly from: string; readonly line: number; readonly depth: number };

/** Why a file is not told, and what helps against it; without a remedy nobody need hear of it. */
export type Problem = { readonly status: string; readonly reason: string; readonly remedy?: string };

/** The entry of a file that is not told. */
export function untold(place: { readonly path: string; readonly scope: string }, problem: Problem, via?: Import): InstructionFile {
  const { status, remedy } = problem;
  const reason = via === undefined ? problem.reason : `${problem.reason}; ${importedBy(via)}`;
  const warning = `${place.path} is not told to the model: ${reason}`;
  return {
    path: place.path,
    scope: place.scope,
    text: '',
    status,
    reason,
    ...(via === undefined ? {} : { from: { file: via.from, line: via.line } }),
    ...(remedy === undefined ? {} : { warning: `${warning}; ${remedy}` }),
  };
}

export function importedBy({ from, line }: Import): string {
  return `imported by ${from}, line ${line}`;
}

/** An excluded file, with the setting and where it stands. */
export function excludedEntry(place: Place, { glob, file }: ExcludeGlob, via?: Import): InstructionFile {
  const reason = `excluded by the setting claudeMdExcludes${file === undefined ? '' : ` in ${file}`} (${glob})`;
  const entry = untold(place, { status: 'excluded', reason, remedy: 'take the glob out to have it told' }, via);
  return { ...entry, from: { setting: 'claudeMdExcludes', ...(file === undefined ? {} : { file }) } };
}

/** What the model may not read by itself, no file brings it. */
export const deniedProblem: Problem = {
  status: 'denied',
  reason: 'a permission rule forbids reading it',
  remedy: 'take the import out, or the rule',
};

export function outsideProblem(answer: 'declined' | 'unasked'): Problem {
  const how = answer === 'declined' ? 'declined' : 'not approved';
  return {
    status: 'outside',
    reason: `outside the project, and imports from there are ${how}`,
    remedy: 'approve them in a session on a terminal, or import it from ~/.claude/CLAUDE.md',
  };
}

type NotText = Exclude<FileReading, { readonly type: 'text' }>;

/** Why what was read can't be told. */
export function problemOf(reading: NotText): Problem {
  const unusable = (reason: string): Problem => ({ status: 'unusable', reason, remedy: 'put a text file there' });
  switch (reading.type) {
    case 'missing':
      return {
        status: 'missing',
        reason: 'there is no such file',
        remedy: 'correct the path, or write it in backticks if no file is meant',
      };
    case 'too-large':
      return { status: 'too-large', reason: `${reading.size} bytes, over the limit of ${maxInstructionBytes}`, remedy: 'split it' };
    case 'unreadable':
      return {
        status: 'unreadable',
        reason: `it can't be read (${reading.why})`,
        remedy: 'look at its permissions, and where it links to',
      };
    case 'special':
      return unusable(`a ${reading.kind}, not a regular file`);
    case 'directory':
      return unusable('a folder, not a file');
    case 'encrypted':
      return unusable('an encrypted PDF, not text');
    default:
      return unusable(`${reading.type === 'binary' ? 'a binary file' : `of type ${reading.mediaType}`}, not text`);
  }
}
