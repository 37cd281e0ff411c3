/** Finds and replaces exact text, whatever its line ends, and leaves every other character alone. */

export type Replacing =
  | { readonly type: 'replaced'; readonly text: string; readonly count: number }
  /** Lines at which it was found, from 1; more than one, and only one was allowed. */
  | { readonly type: 'ambiguous'; readonly lines: readonly number[] }
  /** `hint`: what comes near. */
  | { readonly type: 'not-found'; readonly hint?: string };

/** A line end in `old` matches LF and CRLF; those in `replacement` become what the file has at that place. */
export function replaceText(
  text: string,
  change: { readonly old: string; readonly replacement: string; readonly all: boolean },
): Replacing {
  const old = change.old.replaceAll('\r\n', '\n');
  const pattern = new RegExp(old.split('\n').map(escaped).join('\\r?\\n'), 'g');
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return { type: 'not-found', ...hintFor(text, old) };
  if (matches.length > 1 && !change.all) return { type: 'ambiguous', lines: matches.map(({ index }) => lineAt(text, index)) };
  const parts: string[] = [];
  let from = 0;
  for (const match of matches) {
    parts.push(text.slice(from, match.index), withEnds(change.replacement, endNear(text, match)));
    from = match.index + match[0].length;
  }
  return { type: 'replaced', text: [...parts, text.slice(from)].join(''), count: matches.length };
}

const escaped = (part: string): string => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function withEnds(replacement: string, end: '\n' | '\r\n'): string {
  return end === '\n' ? replacement : replacement.replaceAll(/\r?\n/g, '\r\n');
}

/** The line end in the match, else the next one, else the last one before. */
function endNear(text: string, match: RegExpExecArray): '\n' | '\r\n' {
  const inside = match[0].indexOf('\n');
  const next = inside === -1 ? text.indexOf('\n', match.index + match[0].length) : match.index + inside;
  const at = next === -1 ? text.lastIndexOf('\n', match.index) : next;
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

function hintFor(text: string, old: string): { readonly hint?: string } {
  const lines = text.split(/\r?\n/);
  if (/^\s*\d+\t/.test(old)) return { hint: 'old_string begins with a line number: leave the numbers and tabs of Read out' };
  const wanted = old.split('\n').map((line) => line.trim());
  const start = wanted.findIndex((line) => line !== '');
  if (start === -1) return {};
  const near = lines.flatMap((line, index) => (line.trim() === wanted[start] ? [index] : []));
  const spaced = near.find((at) => wanted.every((line, offset) => (lines[at + offset - start] ?? '').trim() === line));
  if (spaced !== undefined) return { hint: `the same words stand at line ${spaced - start + 1} with other white space` };
  return near[0] === undefined ? {} : { hint: `its first line stands at line ${near[0] + 1}, but what follows differs` };
}
