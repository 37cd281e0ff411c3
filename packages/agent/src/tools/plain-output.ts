/** What a program wrote, as text: without what only a terminal obeys. */
import { stripVTControlCharacters } from 'node:util';

/** Escape sequences and control characters are out, line breaks and tabs stay; white space at the end is off. */
export function plainOutput(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return stripVTControlCharacters(text)
    .replaceAll(/[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
    .trimEnd();
}
