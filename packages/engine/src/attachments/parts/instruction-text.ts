/** How instruction files are told, whichever kind tells them. */
import type { Digest, Json } from '../../content/content.js';
import type { Effect } from '../../transcript/records.js';
import type { Blobs } from '../../transcript/store.js';
import type { InstructionFile } from '../ports.js';
import { fitting, member } from './kept.js';
import { charactersIn, fitLines } from './room.js';

/** Characters: longer texts are watched by digest only. */
const LONGEST_KEPT = 200_000;

/** Only these are told; the others are for a person's view. */
export function isTold(file: InstructionFile): boolean {
  return file.status === 'loaded' || file.status === 'cut';
}

/** Lines for a person: more of them would be read by no one, and they are stored with the request. */
const MOST_NOTES = 50;

/** What a person should hear of these files, told or not. */
export function notesOf(files: readonly InstructionFile[]): { readonly notes?: readonly string[] } {
  const notes = files.flatMap(({ warning }) => warning ?? []);
  if (notes.length === 0) return {};
  const more = notes.length - MOST_NOTES;
  return { notes: more > 0 ? [...notes.slice(0, MOST_NOTES), `${more} more instruction files have something to say`] : notes };
}

/** Keeps the texts, so that later edits can be told as diffs. */
export async function keepTexts(files: readonly InstructionFile[], blobs: Blobs): Promise<void> {
  const watched = files.flatMap(({ view, text, whole = text }) => (view === undefined || whole.length > LONGEST_KEPT ? [] : [whole]));
  await Promise.all(watched.map((text) => blobs.put(text)));
}

/**
 * Each file under its path and scope, in the order given. When room is short the last files, which are the nearest, are
 * kept whole as long as possible.
 */
export function tellFiles(
  files: readonly InstructionFile[],
  room: { readonly tokens: number; readonly intro: string },
): { readonly text: string; readonly cut?: string } {
  const heads = files.map((file) => `From ${file.path} (${file.scope}):\n`);
  let characters = charactersIn(room) - room.intro.length - heads.reduce((sum, head) => sum + head.length + 2, 0);
  const cut: string[] = [];
  const parts = files
    .map((file, index) => ({ file, head: heads[index] ?? '' }))
    .reverse()
    .map(({ file, head }) => {
      const lines = file.text.split('\n').length;
      const fit = fitLines(file.text, { characters, rest: `the file has ${lines}` });
      characters = Math.max(0, characters - fit.text.length);
      if (fit.left > 0) cut.unshift(`${fit.left} of ${lines} lines of ${file.path} are left out`);
      return `${head}${fit.text}${file.status === 'cut' ? `\n[${file.reason}]` : ''}`;
    });
  const text = [room.intro, ...parts.reverse()].join('\n\n');
  return cut.length > 0 ? { text, cut: cut.join(', ') } : { text };
}

/** Told files count as seen, in the form that was told; files that can't be watched only as touched. */
export function effectsOfFiles(files: readonly InstructionFile[]): readonly Effect[] {
  return files.map((file) => (file.view === undefined ? { type: 'touched', path: file.path } : { type: 'viewed', view: file.view }));
}

/** For the record: as many as fit. Which files were told is read from the record's effects, which hold them all. */
export function keepFiles(files: readonly InstructionFile[]): Json {
  const kept = files.map(({ path, scope, view, from, glob }) => ({
    path,
    scope,
    digest: view?.digest ?? null,
    ...(from?.file === undefined ? {} : { from: from.file }),
    ...(glob === undefined ? {} : { glob }),
  }));
  return { count: files.length, files: fitting(kept) };
}

export type KeptFiles = { readonly files: readonly { readonly path: string; readonly digest: Digest | null }[] };

export function decodeFiles(data: Json): KeptFiles | undefined {
  const files = member(data, 'files');
  if (!Array.isArray(files)) return undefined;
  return {
    files: files.flatMap((file: Json) => {
      const path = member(file, 'path');
      const digest = member(file, 'digest');
      return typeof path === 'string' ? [{ path, digest: typeof digest === 'string' ? digest : null }] : [];
    }),
  };
}

/** Paths in the effects of a record that told files. */
export function pathsIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'viewed' ? [effect.view.path] : effect.type === 'touched' ? [effect.path] : []));
}
