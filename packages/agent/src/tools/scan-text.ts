/** Regular expressions over text, bounded: a pattern that backtracks without end is stopped, not waited for. */
import { createContext, Script } from 'node:vm';
import { messageOf } from '@sidenote/engine';
import type { FileHit, Query, SearchLine } from './search.js';

export type Compiled = { readonly type: 'ok'; readonly regex: RegExp } | { readonly type: 'bad-pattern'; readonly why: string };

/** Takes a leading `(?i)`, `(?s)` or `(?m)` as other dialects write it. */
export function compilePattern(query: Pick<Query, 'pattern' | 'ignoreCase' | 'multiline'>): Compiled {
  const inline = /^\(\?([ims]+)\)/.exec(query.pattern);
  const source = query.pattern.slice(inline?.[0].length ?? 0);
  const flags = new Set([...(inline?.[1] ?? ''), ...(query.ignoreCase ? ['i'] : []), ...(query.multiline ? ['g', 'm', 's'] : [])]);
  const compile = (extra: string): RegExp => new RegExp(source, [...flags].join('') + extra);
  try {
    return { type: 'ok', regex: compile('u') };
  } catch {
    // The older form is less strict about escapes such as `\-` and `\<`.
  }
  try {
    return { type: 'ok', regex: compile('') };
  } catch (error) {
    return { type: 'bad-pattern', why: messageOf(error) };
  }
}

const call = new Script('work()');

/** Runs `work`, which blocks; undefined when it took longer than `ms`. */
export function bounded<T>(work: () => T, ms: number): { readonly value: T } | undefined {
  let result: { readonly value: T } | undefined;
  const context = createContext({ work: () => void (result = { value: work() }) });
  try {
    call.runInContext(context, { timeout: ms });
  } catch (error) {
    const timedOut = typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (timedOut) return undefined;
    throw error;
  }
  return result;
}

/** The matching lines of a text with their context; undefined when none matches. */
export function scanText(file: string, text: string, search: { readonly regex: RegExp; readonly query: Query }): FileHit | undefined {
  const { regex, query } = search;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const matching = query.multiline ? linesOfMatches(text, regex) : lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  if (matching.length === 0) return undefined;
  const isMatch = new Set(matching);
  const shown: SearchLine[] = [];
  let next = 0;
  for (const at of matching) {
    const last = Math.min(at + query.after, lines.length - 1);
    for (let index = Math.max(next, at - query.before); index <= last; index += 1) {
      shown.push({ number: index + 1, text: lines[index] ?? '', match: isMatch.has(index) });
      next = index + 1;
    }
  }
  return { file, count: matching.length, lines: shown };
}

/** Indexes of the lines that matches reach over. */
function linesOfMatches(text: string, regex: RegExp): readonly number[] {
  const found: number[] = [];
  let line = 0;
  let at = 0;
  const lineAt = (offset: number): number => {
    for (let end = text.indexOf('\n', at); end !== -1 && end < offset; end = text.indexOf('\n', at)) {
      line += 1;
      at = end + 1;
    }
    return line;
  };
  for (const match of text.matchAll(regex)) {
    const first = lineAt(match.index);
    const last = lineAt(Math.max(match.index, match.index + match[0].length - 1));
    for (let index = first; index <= last; index += 1) if (found.at(-1) !== index) found.push(index);
  }
  return found;
}
