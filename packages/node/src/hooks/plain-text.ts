/** Output of programs as text: without the sequences that steer a terminal, and without other control characters. */
import { stripVTControlCharacters } from 'node:util';

/** Tabs and line breaks stay; a lone carriage return becomes a line break. */
export function plainText(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replaceAll(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- these are what is taken out
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
      .toWellFormed()
  );
}
