/** What becomes of one memory file: read without waiting, cut to its limits, with a status and a reason. */
import type { InstructionFile } from '@sidenote/engine';
import { isWithin, realOf } from '../files/paths.js';
import type { FileReading } from '../files/read.js';
import { viewOf } from '../files/view.js';
import { maxInstructionBytes, problemOf, untold } from '../instructions/entry.js';
import { findNow, readNow } from '../instructions/read-now.js';
import { cutLines, type Limits } from './limits.js';
import type { MemoryFolder } from './places.js';

export type MemoryText = Extract<FileReading, { readonly type: 'text' }>;
export type MemoryReading =
  | { readonly type: 'missing' }
  | { readonly type: 'text'; readonly reading: MemoryText }
  | { readonly type: 'not'; readonly entry: InstructionFile };

/** Reads a file of the folder. A link counts only where it stays inside. Never throws. */
export function readMemory(path: string, folder: MemoryFolder): MemoryReading {
  const not = (problem: Parameters<typeof untold>[1]): MemoryReading => ({
    type: 'not',
    entry: untold({ path, scope: folder.scope }, problem),
  });
  const found = findNow(path);
  if (found.type === 'missing') return { type: 'missing' };
  if (found.type !== 'found') return not(problemOf(found));
  if (!isWithin(realOf(folder.within), found.real)) {
    return not({ status: 'outside', reason: `it leads out of ${folder.within}, to ${found.real}`, remedy: 'put the text itself there' });
  }
  const reading = readNow(found, maxInstructionBytes);
  return reading.type === 'text' ? { type: 'text', reading } : not(problemOf(reading));
}

/** A text as it is told: whole, or the start of it that fits, with what is missing said in it. */
export function memoryEntry(
  reading: MemoryText,
  about: { readonly folder: MemoryFolder; readonly limits: Limits; readonly reason: string; readonly rest: string },
): InstructionFile {
  const { path, text, stat } = reading;
  const plain = text.replaceAll('\r\n', '\n').trimEnd();
  const cut = cutLines(plain, about.limits);
  const entry = {
    path,
    scope: about.folder.scope,
    text: cut.text,
    whole: text,
    view: viewOf({ path, text, stat, lines: cut.left === 0 ? 'all' : cut.shown === 0 ? [] : [[1, cut.shown]] }),
  };
  if (cut.left === 0) return { ...entry, status: 'loaded', reason: about.reason };
  return { ...entry, status: 'cut', reason: `the first ${cut.shown} of ${cut.shown + cut.left} lines; ${about.rest}` };
}
