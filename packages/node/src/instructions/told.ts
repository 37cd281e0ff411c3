/** The entry of a file that was read: what a model is told of it, or why that is nothing. */
import type { InstructionFile } from '@sidenote/engine';
import type { FileReading } from '../files/read.js';
import { viewOf } from '../files/view.js';
import { importedBy, untold, type Import, type Problem } from './entry.js';
import { scopeTest } from './globs.js';
import type { Place } from './locate.js';
import type { Rendered } from './render.js';

/** Told once a path matches. `match` gives the glob. */
export type Waiting = InstructionFile & { match(path: string): string | undefined };
export type Read = {
  readonly reading: Extract<FileReading, { type: 'text' }>;
  readonly rendered: Rendered;
  readonly via: Import | undefined;
  readonly about: {
    readonly home: string;
    /** Of the repository: `host/owner/name`. */
    readonly origin: string | undefined;
    /** Characters of one file from which on a person is told that it is large. */
    readonly large: number;
  };
};

export async function fileOf(place: Place, { reading, rendered, via, about }: Read): Promise<InstructionFile | Waiting> {
  const { scope, text, notes, repositories } = rendered;
  const { path } = reading;
  const foundAs = path === place.path ? [] : [`found as ${place.path}`];
  const not = (problem: Problem): InstructionFile =>
    untold({ ...place, path }, { ...problem, reason: [problem.reason, ...foundAs].join('; ') }, via);
  if (scope.type === 'broken') {
    return not({ status: 'broken', reason: scope.why, remedy: 'write `paths:` with a list of globs between two lines of --- at the top' });
  }
  if (text === '') return not({ status: 'empty', reason: 'nothing in it but comments and front matter' });
  const elsewhere = place.scope === 'user' && repositories !== undefined && !repositories.includes(about.origin ?? '');
  if (elsewhere)
    return not({ status: 'off', reason: `for ${repositories.join(', ')}; this is ${about.origin ?? 'a folder without an origin'}` });
  const odd = [
    ...notes,
    ...(repositories !== undefined && place.scope !== 'user' ? ['`repository` counts in files of the user only'] : []),
  ];
  if (text.length > about.large) odd.push(`${text.length} characters, over ${about.large}: split it, or scope parts of it by \`paths\``);
  const why = [via ? importedBy(via) : `${place.scope} instructions`, ...odd];
  if (reading.encoding === 'latin1') why.push('read as latin1');
  why.push(...foundAs);
  const file = {
    // The real path, as in the view: one file has one name, whichever way leads to it.
    path,
    scope: place.scope,
    text,
    view: viewOf({ path, text, stat: reading.stat, form: 'instructions' }),
    ...(via === undefined ? {} : { from: { file: via.from, line: via.line } }),
    ...(odd.length === 0 ? {} : { warning: `${path}: ${odd.join('; ')}` }),
  };
  if (scope.type === 'always') return { ...file, status: 'loaded', reason: why.join('; ') };
  const globs = scope.globs.length === 0 ? 'no file (it names none)' : scope.globs.join(', ');
  const match = await scopeTest({ globs: scope.globs, bases: place.bases, home: about.home });
  return { ...file, status: 'scoped', reason: [`for ${globs}`, ...why.slice(1)].join('; '), match };
}
