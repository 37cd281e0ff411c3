/** Cutting and checking text without breaking characters: a lone surrogate makes a whole request unreadable. */

/** Made when something is first cut: its tables take a while to load. */
let graphemes: Intl.Segmenter | undefined;
/** Longer clusters (stacks of combining marks) are cut between code points. */
const LONGEST_CLUSTER = 64;

/** Text as valid Unicode: each lone surrogate becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** True for text that a provider refuses as empty: white space only, by JavaScript's or by Python's notion of it. */
export function isBlank(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- separators that Python counts as white space
  return !/[^\s\u001c-\u001f\u0085]/.test(text);
}

/** The start of `text`, at most `length` UTF-16 units long, ending between two visible characters. */
export function head(text: string, length: number): string {
  if (length >= text.length) return text;
  if (length <= 0) return '';
  const from = Math.max(0, length - LONGEST_CLUSTER);
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  const cluster = graphemes.segment(text.slice(from, length + LONGEST_CLUSTER)).containing(length - from);
  if (cluster !== undefined && (cluster.index > 0 || from === 0)) return text.slice(0, from + cluster.index);
  return text.slice(0, isLowSurrogate(text, length) ? length - 1 : length);
}

/** The first line of `text`, for a title: where it is longer than `length` UTF-16 units, its start and an ellipsis. */
export function firstLine(text: string, length: number): string {
  const line = (text.trim().split('\n', 1)[0] ?? '').trimEnd();
  return line.length <= length ? line : `${head(line, length - 1).trimEnd()}…`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** A start of a text that ends with a whole line. */
export type LinesCut = { readonly text: string; /** Lines left out. */ readonly left: number };

/**
 * As many whole lines of `text` as fit into `length` UTF-16 units. When not even the first line fits, a part of it is
 * given, and the line counts as left out.
 */
export function headLines(text: string, length: number): LinesCut {
  if (text.length <= length) return { text, left: 0 };
  const end = text.lastIndexOf('\n', Math.max(0, length));
  const kept = end > 0 ? text.slice(0, end) : head(text, length);
  return { text: kept, left: countLines(text.slice(end > 0 ? end + 1 : 0)) };
}

/** Lines of a text; a line break at its end opens no further line. */
export function countLines(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
