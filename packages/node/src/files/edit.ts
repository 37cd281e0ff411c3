/** One edited file as it is told: the hunks among the lines seen, inside a room, or one line that says why not. */
import type { FileView } from '@sidenote/engine';
import { diffLines, hunkText, type Hunk } from './diff.js';
import { lineEnd } from './encoding.js';
import { clip } from './lines.js';
import { isSeen, shiftRanges } from './ranges.js';
import { maxKeptLength } from './view.js';

/** What may still be told at this moment; used up by `editOf`. */
export type Room = { lines: number; characters: number; diffMs: number };

export type Edit = {
  readonly hunks: readonly string[];
  /** Lines seen of the new text once this was told. Empty: it has to be read again. */
  readonly lines: FileView['lines'];
  readonly changedLines?: number;
  readonly note?: string;
};

/** Changed lines and characters told of one file, and characters of one line. */
export const maxChangedLinesPerFile = 60;
const maxCharactersPerFile = 12_000;
const maxLine = 500;
const maxDiffMsPerFile = 200;

const readAgain = 'read it again before you rely on it';

export async function editOf(texts: {
  /** Null: it wasn't kept. */
  readonly before: string | null;
  readonly after: string;
  readonly lines: FileView['lines'];
  readonly room: Room;
  /** Where the difference is too much to be shown, the new text stands for it as long as there is room. */
  readonly orWhole?: boolean;
}): Promise<Edit> {
  const { before, after, lines, room, orWhole = false } = texts;
  if (before === null || after.length > maxKeptLength) {
    const whole = orWhole ? wholeText(after, room) : undefined;
    return whole ?? { hunks: [], lines: [], note: `it is too long for a diff; ${readAgain}` };
  }

  const started = performance.now();
  const { hunks, changedLines } = await diffLines(before, after, { timeoutMs: Math.min(maxDiffMsPerFile, room.diffMs) });
  room.diffMs -= performance.now() - started;
  const ends = lineEndNote(before, after);
  if (hunks.length === 0) return { hunks: [], lines, changedLines: 0, note: ends ?? 'only line ends changed' };

  const seen = hunks.filter((hunk) => isSeen(lines, hunk));
  const shifted = shiftRanges(lines, hunks);
  if (seen.length === 0) return { hunks: [], lines: shifted, changedLines, ...noteOf('outside the lines you have seen', ends) };

  const told = seen.map((hunk) => hunkText({ ...hunk, lines: hunk.lines.map((line) => clip(line, maxLine)) }));
  const toldLines = changedIn(seen);
  const characters = told.reduce((sum, text) => sum + text.length, 0);
  if (toldLines > Math.min(maxChangedLinesPerFile, room.lines) || characters > Math.min(maxCharactersPerFile, room.characters)) {
    const whole = orWhole ? wholeText(after, room) : undefined;
    return whole ?? { hunks: [], lines: [], changedLines, ...noteOf(`too much to show here; ${readAgain}`, ends) };
  }
  room.lines -= toldLines;
  room.characters -= characters;
  const long = seen.some((hunk) => hunk.lines.some((line) => line.length > maxLine));
  const outside = changedLines - toldLines;
  const note = noteOf(
    long ? `long lines are cut; ${readAgain}` : undefined,
    outside > 0 ? `${outside} more changed lines are outside the lines you have seen` : undefined,
    ends,
  );
  return { hunks: told, lines: long ? [] : shifted, changedLines, ...note };
}

function wholeText(after: string, room: Room): Edit | undefined {
  if (after.length > room.characters) return undefined;
  room.characters -= after.length;
  return { hunks: [after], lines: 'all', note: 'so much that its whole text follows' };
}

function changedIn(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => !line.startsWith(' ')).length, 0);
}

/** Diffs leave line ends out, so a change of them is said. */
function lineEndNote(before: string, after: string): string | undefined {
  const [old, now] = [lineEnd(before), lineEnd(after)];
  if (old !== now && before.includes('\n') && after.includes('\n')) {
    return now === 'mixed' ? 'some line ends changed' : `its line ends are ${now === '\n' ? 'LF' : 'CRLF'} now`;
  }
  if (before.endsWith('\n') !== after.endsWith('\n')) return `it ${after.endsWith('\n') ? 'now ends' : 'no longer ends'} with a line end`;
  return undefined;
}

function noteOf(...parts: readonly (string | undefined)[]): { readonly note?: string } {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? {} : { note: said.join('; ') };
}
