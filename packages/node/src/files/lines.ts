/** Lines as a model is shown them: numbered, and cut where one is too long. */

/** Characters of one line that are shown. */
export const maxLineLength = 2000;

/** The lines of a text without their ends; a last line end does not start another line. */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** `12<tab>text` for each line, the first of which is number `first`. */
export function numberLines(text: string, first = 1): string {
  return splitLines(text)
    .map((line, index) => `${first + index}\t${clip(line, maxLineLength)}`)
    .join('\n');
}

/** At most `max` characters, then how many are left out. Never cuts a character in two. */
export function clip(line: string, max: number): string {
  if (line.length <= max) return line;
  const head = headOf(line, max);
  return `${head} … [${line.length - head.length} more characters in this line]`;
}

/** The first `max` UTF-16 units of a text, one less where the border would cut a character in two. */
export function headOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
