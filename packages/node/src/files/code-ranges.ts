/** Code in what people type: fences and spans are quoted text, not words to act on. */
import { masked } from './at-paths.js';

/** The text with its code blanked, every other character where it was. */
export function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const mark = /^ {0,3}(?:> ?)*(?:[-*+] +)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) fence = undefined;
      return masked.repeat(line.length);
    }
    if (mark === undefined) return line;
    fence = mark;
    return masked.repeat(line.length);
  });
  return withoutSpans(lines.join('\n'));
}

/** Blanks code spans: a run of backticks up to the next run of the same length in the same paragraph. */
export function withoutSpans(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((part) => part.replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) => span.replace(/[^\n]/g, masked)))
    .join('');
}
