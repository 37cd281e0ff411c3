/** Changes of files as lines: added and removed ones differ by sign first, by colour second. */
import { clean, revealed } from './clean.js';
import type { Theme } from './theme.js';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lines of unified-diff hunks. */
export function diffLines(hunks: readonly string[], theme: Theme): string[] {
  return hunks.flatMap((hunk) =>
    clean(hunk)
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => {
        if (line.startsWith('+')) return theme.good(line);
        if (line.startsWith('-')) return theme.bad(line);
        return line.startsWith('@@') ? theme.dim(line) : line;
      }),
  );
}

/** The hunks that a tool shows of what it changed, if it does. */
export function hunksOf(display: unknown): readonly string[] | undefined {
  if (!isObject(display)) return undefined;
  const { hunks, diff } = display;
  if (Array.isArray(hunks) && hunks.length > 0 && hunks.every((hunk) => typeof hunk === 'string')) return hunks;
  return typeof diff === 'string' && diff !== '' ? [diff] : undefined;
}

/** What an edit or a new file would do, from the call's input, invisible characters shown; nothing for other calls. At most `most` lines of each side. */
export function editPreview(input: unknown, options: { readonly theme: Theme; readonly most: number }): string[] {
  if (!isObject(input)) return [];
  const side = (text: unknown, sign: string): string[] => {
    if (typeof text !== 'string' || text === '') return [];
    const lines = revealed(text).replace(/\n$/, '').split('\n');
    const shown = lines.slice(0, options.most).map((line) => `${sign}${line}`);
    return lines.length > options.most ? [...shown, `${sign}… ${lines.length - options.most} more lines`] : shown;
  };
  const { old_string, new_string, content } = input;
  return diffLines([...side(old_string, '-'), ...side(new_string ?? content, '+')], options.theme);
}
