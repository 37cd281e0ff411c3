/** How much of a memory file is told, and how much of it may be written. */
import { headOf } from '../files/lines.js';

export type Limits = { readonly lines: number; /** UTF-8. */ readonly bytes: number };

/** Of an index: what other agents tell of theirs, too. */
export const indexLimits: Limits = { lines: 200, bytes: 25 * 1024 };
/** Of one memory that is recalled. */
export const recallLimits: Limits = { lines: 120, bytes: 4 * 1024 };
/** Memories of one prompt. */
export const maxRecalled = 5;
/** Bytes that any memory file may have when it is written. */
export const maxMemoryBytes = 25 * 1024;

export const bytesIn = (text: string): number => Buffer.byteLength(text, 'utf8');
/** A last line end does not start another line. */
export const linesIn = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);

/** Whole lines for as long as both limits hold; of a first line that is too long itself, a part, and it counts as left out. */
export function cutLines(text: string, { lines, bytes }: Limits): { readonly text: string; readonly shown: number; readonly left: number } {
  const all = text.split('\n');
  let room = bytes;
  let shown = 0;
  for (const line of all.slice(0, lines)) {
    room -= bytesIn(line) + 1;
    if (room < -1) break;
    shown += 1;
  }
  if (shown === all.length) return { text, shown, left: 0 };
  if (shown > 0) return { text: all.slice(0, shown).join('\n'), shown, left: all.length - shown };
  // A character has at most three bytes a unit.
  return { text: headOf(all[0] ?? '', Math.floor(bytes / 3)), shown, left: all.length };
}
