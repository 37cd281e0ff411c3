/** The search by ripgrep, where `rg` is on the path. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { maxLines, maxSearchMs, type FileHit, type Query, type SearchLine, type SearchResult } from './search.js';

/** Undefined when `rg` can't be run. */
export async function searchByRipgrep(query: Query, program = 'rg'): Promise<SearchResult | undefined> {
  const stop = new AbortController();
  const child = spawn(program, argumentsOf(query), {
    cwd: query.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([query.signal, stop.signal]),
  });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(child.pid !== undefined));
    child.once('close', () => resolve(true));
  });
  const complaint = textOf(child.stderr).catch(() => '');
  const timer = setTimeout(() => stop.abort(), maxSearchMs);
  const found = new Map<string, SearchLine[]>();
  let lines = 0;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const event = eventOf(line);
      if (event === undefined) continue;
      const known = found.get(event.file);
      if (known === undefined) found.set(event.file, [...event.lines]);
      else known.push(...event.lines);
      lines += event.lines.length;
      if (lines > maxLines) stop.abort();
    }
  } finally {
    clearTimeout(timer);
  }
  if (!(await ended)) return undefined;
  const why = (await complaint).trim();
  if (found.size === 0 && why !== '') return { type: 'bad-pattern', why };
  const hits: FileHit[] = [];
  for (const [file, shown] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!(await query.mayRead(join(query.folder, file)))) continue;
    hits.push({ file, count: shown.filter(({ match }) => match).length, lines: shown });
  }
  return { type: 'found', hits, notes: stop.signal.aborted ? ['the search was stopped: not all files were looked at'] : [] };
}

function argumentsOf(query: Query): readonly string[] {
  const globs = query.glob?.split(/,(?![^{]*\})/).flatMap((glob) => (glob.trim() === '' ? [] : ['--glob', glob.trim()])) ?? [];
  const types = query.typeGlobs?.flatMap((glob) => ['--type-add', `wanted:${glob}`]) ?? [];
  return [
    ...['--json', '--no-config', '--no-messages', '--hidden', '--crlf', ...globs, '--glob', '!.git'],
    ...(query.typeGlobs === undefined ? [] : [...types, '--type', 'wanted']),
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...['--before-context', String(query.before), '--after-context', String(query.after)],
    ...['--regexp', query.pattern, '--', query.file ?? '.'],
  ];
}

/** One line of its JSON output, when it holds lines of a file. */
function eventOf(json: string): { readonly file: string; readonly lines: readonly SearchLine[] } | undefined {
  const event: unknown = JSON.parse(json);
  if (!isRecord(event) || (event['type'] !== 'match' && event['type'] !== 'context') || !isRecord(event['data'])) return undefined;
  const { path, lines, line_number: first } = event['data'];
  if (typeof first !== 'number') return undefined;
  const texts = stringOf(lines)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const match = event['type'] === 'match';
  return { file: stringOf(path).replace(/^\.\//, ''), lines: texts.map((text, index) => ({ number: first + index, text, match })) };
}

/** What is not UTF-8 comes as base64. */
function stringOf(value: unknown): string {
  if (!isRecord(value)) return '';
  if (typeof value['text'] === 'string') return value['text'];
  return typeof value['bytes'] === 'string' ? Buffer.from(value['bytes'], 'base64').toString('latin1') : '';
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
