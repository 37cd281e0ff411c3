/** Finds lines of an output that match a pattern. A pattern that takes too long on a line ends the watch; it never holds the process up. */
import { stripVTControlCharacters } from 'node:util';
import { createContext, Script } from 'node:vm';

/** Characters of a line that are looked at, and of a line without an end that are kept. */
const LONGEST = 2_000;
/** Milliseconds for one part of output. */
const PATIENCE = 250;

export interface LineWatch {
  /** Lines that match, in the output so far unseen. */
  add(output: string): readonly string[];
  /** The last line, when no line break ends it. */
  end(): readonly string[];
  /** Why nothing is looked at any more. */
  readonly failure: string | undefined;
}

/** Undefined: `pattern` is no regular expression. */
export function lineWatch(pattern: string): LineWatch | undefined {
  const source = sourceOf(pattern);
  if (source === undefined) return undefined;
  // Only code that runs in a context of its own can be given a time.
  const context = createContext({ source, lines: '[]' });
  const find = new Script('JSON.stringify(JSON.parse(lines).filter((line) => new RegExp(source).test(line)))');
  let open = '';
  let failure: string | undefined;
  const matching = (lines: readonly string[]): readonly string[] => {
    if (failure !== undefined || lines.length === 0) return [];
    context['lines'] = JSON.stringify(lines.map((line) => stripVTControlCharacters(line).slice(0, LONGEST).toWellFormed()));
    try {
      const found: unknown = JSON.parse(String(find.runInContext(context, { timeout: PATIENCE })));
      return Array.isArray(found) ? found.filter((line) => typeof line === 'string') : [];
    } catch {
      failure = `the pattern took more than ${PATIENCE} ms`;
      return [];
    }
  };
  return {
    add(output) {
      const lines = (open + output).split(/\r?\n|\r/);
      open = (lines.pop() ?? '').slice(0, LONGEST);
      return matching(lines);
    },
    end() {
      const last = open;
      open = '';
      return matching(last === '' ? [] : [last]);
    },
    get failure() {
      return failure;
    },
  };
}

function sourceOf(pattern: string): string | undefined {
  try {
    return new RegExp(pattern).source;
  } catch {
    return undefined;
  }
}
