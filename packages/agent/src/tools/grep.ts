/** `Grep`: a regular expression through the project's files. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { clip } from '@sidenote/node';
import { absolute, shownPath, type ToolEnvironment } from './environment.js';
import { globsOfType, knownTypes } from './file-types.js';
import { choice, flag, inputOf, integer, optional, text } from './input.js';
import { keepLarge } from './keep-large.js';
import { newestFirst } from './list-files.js';
import { refused, said } from './outcome.js';
import type { FileHit, Query } from './search.js';
import { searchByRipgrep } from './search-ripgrep.js';
import { searchByScan } from './search-scan.js';
import type { Tool } from './tool.js';

export type GrepInput = {
  readonly pattern: string;
  readonly path: string | undefined;
  readonly glob: string | undefined;
  readonly type: string | undefined;
  readonly output_mode: 'files_with_matches' | 'content' | 'count' | undefined;
  readonly '-A': number | undefined;
  readonly '-B': number | undefined;
  readonly '-C': number | undefined;
  readonly '-i': boolean | undefined;
  readonly '-n': boolean | undefined;
  readonly multiline: boolean | undefined;
  readonly head_limit: number | undefined;
};

const defaultLimit = 250;
const maxLineCharacters = 500;
const none = { min: 0 };

export function grepTool(environment: ToolEnvironment): Tool<GrepInput> {
  const input = inputOf('Grep', {
    pattern: text('regular expression'),
    path: optional(text('file or folder; default the working directory')),
    glob: optional(text('only these files')),
    type: optional(text('ts, py, md …')),
    output_mode: optional(choice(['files_with_matches', 'content', 'count'], 'default files_with_matches')),
    '-A': optional(integer(none)),
    '-B': optional(integer(none)),
    '-C': optional(integer(none)),
    '-i': optional(flag()),
    '-n': optional(flag('default true')),
    multiline: optional(flag('let matches cross lines')),
    head_limit: optional(integer(none, `lines or files shown; default ${defaultLimit}, 0 for all`)),
  });
  const where = (path: string | undefined): string => absolute(environment, path ?? '.');
  return {
    spec: { name: 'Grep', description: 'Search file contents. Ignored and binary files are left out.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    paths: ({ path }) => [where(path)],
    title: ({ pattern, path }) => `Grep ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    async run(value, { signal }) {
      const path = where(value.path);
      const there = await stat(path).catch(() => undefined);
      if (there === undefined) return refused(`There is no file or folder ${path}.`);
      if (!there.isDirectory() && !there.isFile()) return refused(`${path} is not a regular file: it can't be searched.`);
      const typeGlobs = value.type === undefined ? undefined : globsOfType(value.type);
      if (value.type !== undefined && typeGlobs === undefined) {
        return refused(`Unknown type ${value.type}; known: ${knownTypes().join(', ')}. Or give a glob.`);
      }
      const query: Query = {
        folder: there.isFile() ? dirname(path) : path,
        file: there.isFile() ? basename(path) : undefined,
        pattern: value.pattern,
        ignoreCase: value['-i'] ?? false,
        multiline: value.multiline ?? false,
        before: value['-B'] ?? value['-C'] ?? 0,
        after: value['-A'] ?? value['-C'] ?? 0,
        glob: value.glob,
        typeGlobs,
        signal,
        mayRead: environment.mayRead ?? (async () => true),
      };
      const result = (await searchByRipgrep(query)) ?? (await searchByScan(query));
      if (result.type === 'bad-pattern') return refused(`The pattern can't be used: ${result.why}`);
      const shown = (file: string): string => shownPath(environment, join(query.folder, file));
      const lines = await linesOf(value, { query, hits: result.hits, shown });
      const notes = result.notes.map((note) => `[${note}]`);
      return said([...bound(lines, value.head_limit ?? defaultLimit, environment), ...notes].join('\n'), {
        effects: value.path === undefined ? [] : [{ type: 'touched', path }],
      });
    },
  };
}

type Found = { readonly query: Query; readonly hits: readonly FileHit[]; readonly shown: (file: string) => string };

async function linesOf(value: GrepInput, { query, hits, shown }: Found): Promise<readonly string[]> {
  if (hits.length === 0) return ['No matches.'];
  if (value.output_mode === 'content') return hits.flatMap((hit) => contentOf(hit, { shown, numbers: value['-n'] ?? true }));
  if (value.output_mode === 'count') return hits.map(({ file, count }) => `${shown(file)}:${count}`);
  const files = hits.map(({ file }) => file);
  return (await newestFirst(query.folder, files)).map(shown);
}

/** A file's name, its lines (`12:` a match, `13-` context), and a gap where lines are left out. */
function contentOf({ file, lines }: FileHit, form: { readonly shown: Found['shown']; readonly numbers: boolean }): readonly string[] {
  const out = [form.shown(file)];
  let previous: number | undefined;
  const hasContext = lines.some(({ match }) => !match);
  for (const line of lines) {
    if (hasContext && previous !== undefined && line.number > previous + 1) out.push('--');
    out.push(`${form.numbers ? `${line.number}${line.match ? ':' : '-'}` : ''}${clip(line.text, maxLineCharacters)}`);
    previous = line.number;
  }
  return out;
}

function bound(lines: readonly string[], limit: number, environment: ToolEnvironment): readonly string[] {
  const shown = limit === 0 ? lines : lines.slice(0, limit);
  const text = keepLarge(shown.join('\n'), { environment, name: 'grep' });
  const more = lines.length - shown.length;
  return more === 0 ? [text] : [text, `[… ${more} more lines; narrow the search or raise head_limit]`];
}
