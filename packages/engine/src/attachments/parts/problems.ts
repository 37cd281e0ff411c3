/** Problems of files as a delta: which are new since they were last told, and what a record keeps so that none is told twice. */
import type { Json } from '../../content/content.js';
import { head } from '../../content/text.js';
import type { Diagnostic, FileProblems } from '../ports.js';
import type { Maybe, Room } from '../contract.js';
import { fitting, member } from './kept.js';
import { names } from './names.js';
import { charactersIn, fitLines } from './room.js';

/** By the mark of a path: the marks of the problems that are known of it, put together. Paths themselves would not fit into records. */
export type Known = Map<string, string>;

/** What kinds that tell of problems have in common. `who` sees them, `intro` stands before them. */
export const problemsKind = ({ who, intro }: { readonly who: string; readonly intro: string }) =>
  ({
    version: 1,
    group: 'main',
    wait: 'may',
    trust: 'third-party',
    decode: decodeProblems,
    render: (data: Problems, { tokens }: Room) => renderProblems(data, { tokens, intro }),
    keep: keepProblems,
    title: (data: Problems) => titleOfProblems(data, who),
    reason: reasonOfProblems,
  }) as const;

type Change = {
  /** Undefined: a file that had problems, and of which only the mark is left. */
  readonly path: string | undefined;
  /** What the model was not told yet. */
  readonly news: readonly Diagnostic[];
  readonly mark: string;
  /** Marks of all its problems as they are now. */
  readonly now: string;
};
type Problems = { readonly changes: readonly Change[] };

/** Characters of a mark. */
const MARK = 6;
/** Problems that are named: of one file, and in all. */
const MOST = { file: 10, all: 30 } as const;
/** Characters of one message. */
const LONGEST = 400;

type Reading = {
  readonly known: ReadonlyMap<string, string>;
  readonly digest: (text: string) => string;
  /** The reading speaks of all files but these: one that is in neither has no problems any more. Absent: it has said nothing. */
  readonly allBut?: readonly string[];
};

/**
 * Files whose problems are others than those that are known, as many as a record can remember; the rest follows with the next
 * message. A problem is the same one wherever it moves in its file; of two equal ones each counts.
 */
export function changesOf(files: readonly FileProblems[], { known, digest, allBut }: Reading): Maybe<Problems> {
  const markOf = (text: string): string => digest(text).slice(0, MARK).padEnd(MARK, '0');
  const all = files.flatMap(({ path, problems }): readonly Change[] => {
    const mark = markOf(path);
    const marked = problems.map((problem) => ({
      problem,
      mark: markOf(JSON.stringify([problem.severity, problem.source, problem.code, problem.message])),
    }));
    const before = marksIn(known.get(mark) ?? '');
    const news = marked.filter(({ mark: one }) => !taken(before, one)).map(({ problem }) => problem);
    // What is left of those before is gone.
    if (news.length === 0 && before.length === 0) return [];
    return [{ path, news, mark, now: marked.map((one) => one.mark).join('') }];
  });
  const spoken = new Set([...files.map(({ path }) => path), ...(allBut ?? [])].map(markOf));
  const gone = allBut === undefined ? [] : [...known.keys()].filter((mark) => !spoken.has(mark));
  const sorted = [...all, ...gone.map((mark): Change => ({ path: undefined, news: [], mark, now: '' }))].toSorted(
    (a, b) => Number(hasError(b)) - Number(hasError(a)),
  );
  return sorted.length === 0
    ? { type: 'nothing' }
    : { type: 'new', data: { changes: sorted.slice(0, fitting(sorted.map(keptOf)).length) } };
}

const hasError = ({ news }: Change): boolean => news.some(({ severity }) => severity === 'error');
const keptOf = ({ mark, now }: Change): readonly [string, string] => [mark, now];

function marksIn(text: string): string[] {
  return text.match(/.{6}/g) ?? [];
}

function taken(marks: string[], mark: string): boolean {
  const at = marks.indexOf(mark);
  if (at !== -1) marks.splice(at, 1);
  return at !== -1;
}

function keepProblems({ changes }: Problems): Json {
  return { known: changes.map(keptOf) };
}

function decodeProblems(data: Json): Json | undefined {
  return Array.isArray(member(data, 'known')) ? data : undefined;
}

/** Adds what a record keeps. */
export function learn(known: Known, data: Json): void {
  const entries = member(data, 'known');
  for (const entry of Array.isArray(entries) ? entries : []) {
    const [mark, now]: readonly Json[] = Array.isArray(entry) ? entry : [];
    if (typeof mark !== 'string' || typeof now !== 'string') continue;
    if (now === '') known.delete(mark);
    else known.set(mark, now);
  }
}

/** Nothing is said of problems that are gone: the record alone remembers it, so that they are told if they come back. */
function renderProblems(
  { changes }: Problems,
  how: { readonly tokens: number; readonly intro: string },
): { readonly content: { type: 'text'; text: string }[]; readonly cut?: string } {
  const files = changes.filter(({ news }) => news.length > 0);
  if (files.length === 0) return { content: [] };
  let left: number = MOST.all;
  let hidden = 0;
  const parts = files.flatMap(({ path, news }) => {
    const shown = errorsFirst(news).slice(0, Math.min(MOST.file, left));
    left -= shown.length;
    const more = news.length - shown.length;
    if (shown.length === 0) {
      hidden += more;
      return [];
    }
    return [[path ?? '', ...shown.map(lineOf), ...(more > 0 ? [`- and ${more} more in this file`] : [])].join('\n')];
  });
  const others = hidden === 0 ? [] : [`And ${hidden} more in other files.`];
  const text = [how.intro, ...parts, ...others].join('\n\n');
  const fit = fitLines(text, { characters: charactersIn(how), rest: 'checking the files shows all' });
  return { content: [{ type: 'text', text: fit.text }], ...(fit.left > 0 ? { cut: `${fit.left} lines of problems` } : {}) };
}

function errorsFirst(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  return problems.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error') || a.line - b.line);
}

function lineOf({ line, severity, message, source, code }: Diagnostic): string {
  const from = [source, code].filter((part) => part !== undefined && part !== '').join(' ');
  return `- line ${line}, ${severity}: ${head(message.replace(/\s+/g, ' ').trim(), LONGEST)}${from === '' ? '' : ` (${head(from, 60)})`}`;
}

function titleOfProblems({ changes }: Problems, who: string): string {
  const files = changes.filter(({ news }) => news.length > 0);
  const named = (some: readonly Change[]): string => names(some.flatMap(({ path = [] }) => path));
  const count = files.reduce((sum, { news }) => sum + news.length, 0);
  if (count === 0) return `${who}: problems gone ${named(changes) === '' ? '' : `in ${named(changes)}`}`.trimEnd();
  return `${who}: ${count} ${count === 1 ? 'problem' : 'problems'} in ${named(files)}`;
}

function reasonOfProblems({ changes }: Problems): string {
  return changes.some(({ news }) => news.length > 0) ? 'not told yet' : 'remembered, so that they are told if they come back';
}
