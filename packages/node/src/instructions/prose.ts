/** Markdown, as far as it matters here: where code is, and where comments are. */
import { masked } from '../files/at-paths.js';

export type Prose = {
  /** The text without comments; those inside code stay. */
  readonly text: string;
  /** The same places with code and comments blanked. */
  readonly prose: string;
  readonly unclosed: boolean;
};

type Range = { readonly from: number; readonly to: number };

/** Understands fences, indented code and spans as CommonMark does. */
export async function proseOf(markdown: string): Promise<Prose> {
  const { code, regions } = await blocksOf(markdown);
  const comments: Range[] = [];
  const spans: Range[] = [];
  let unclosed = false;
  for (const region of regions) {
    let at = Math.max(region.from, comments.at(-1)?.to ?? 0);
    while (at < region.to) {
      const next = nextMark(markdown, at, region.to);
      if (next === undefined) break;
      if (markdown[next] === '`') {
        const span = spanAt(markdown, next, region.to);
        if (span.closed) spans.push({ from: next, to: span.to });
        at = span.to;
        continue;
      }
      const end = markdown.indexOf('-->', next + 4);
      const limit = code.find(({ from }) => from >= region.to)?.from ?? markdown.length;
      if (end === -1 || end + 3 > Math.max(limit, region.to)) unclosed = true;
      else comments.push({ from: next, to: end + 3 });
      at = comments.at(-1)?.from === next ? end + 3 : next + 4;
    }
  }
  return { text: without(markdown, comments), prose: blank(markdown, [...code, ...comments, ...spans]), unclosed };
}

/** Code blocks, and the stretches of text in which spans and comments can stand. */
async function blocksOf(markdown: string): Promise<{ readonly code: readonly Range[]; readonly regions: readonly Range[] }> {
  const { default: MarkdownIt } = await import('markdown-it');
  const starts = [0];
  for (let at = markdown.indexOf('\n'); at !== -1; at = markdown.indexOf('\n', at + 1)) starts.push(at + 1);
  const code: Range[] = [];
  const regions: Range[] = [];
  for (const token of new MarkdownIt('commonmark', { maxNesting: 100 }).parse(markdown, {})) {
    if (token.map === null) continue;
    const range = { from: starts[token.map[0]] ?? markdown.length, to: starts[token.map[1]] ?? markdown.length };
    if (token.type === 'fence' || token.type === 'code_block') code.push(range);
    if (token.type === 'inline' || token.type === 'html_block') regions.push(range);
  }
  return { code, regions };
}

/** The next backtick or beginning of a comment; a backslash makes the character after it plain. */
function nextMark(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`' || (text[at] === '<' && text.startsWith('<!--', at))) return at;
  }
  return undefined;
}

function spanAt(text: string, from: number, to: number): { readonly to: number; readonly closed: boolean } {
  let open = from;
  while (text[open] === '`') open += 1;
  const run = open - from;
  for (let at = text.indexOf('`', open); at !== -1 && at < to; at = text.indexOf('`', at)) {
    const start = at;
    while (text[at] === '`') at += 1;
    if (at - start === run) return { to: at, closed: true };
  }
  return { to: open, closed: false };
}

function blank(text: string, ranges: readonly Range[]): string {
  let prose = '';
  let at = 0;
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    if (to <= at) continue;
    prose += text.slice(at, Math.max(at, from)) + text.slice(Math.max(at, from), to).replace(/[^\n]/g, masked);
    at = to;
  }
  return prose + text.slice(at);
}

/** Cuts ranges out; a comment that has lines to itself takes them with it. */
function without(text: string, ranges: readonly Range[]): string {
  let kept = '';
  let at = 0;
  for (const { from, to } of ranges) {
    const lineStart = text.lastIndexOf('\n', from - 1) + 1;
    const lineEnd = text.indexOf('\n', to);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const alone = lineStart >= at && text.slice(lineStart, from).trim() === '' && text.slice(to, end).trim() === '';
    kept += text.slice(at, alone ? lineStart : from);
    at = alone ? Math.min(text.length, end + 1) : to;
    // Two empty lines where the comment stood between them are one.
    if (alone && /(^|\n)\n$/.test(kept) && text[at] === '\n') at += 1;
  }
  return kept + text.slice(at);
}
