/** Writes what a tool has made of a file, and says what that did: the new view, the text before, the lines that changed. */
import type { Effect, FileView, Json } from '@sidenote/engine';
import { diffLines, hunkText, keepText, shiftRanges, viewOf, writeTextFile, type FileReading, type Hunk } from '@sidenote/node';
import type { ToolContext } from './tool.js';

type TextReading = Extract<FileReading, { readonly type: 'text' }>;

export type Saved =
  | {
      readonly type: 'saved';
      readonly created: boolean;
      /** Set when the text could not be kept in the encoding that the file had. */
      readonly note?: string;
      readonly hunks: readonly Hunk[];
      readonly effects: readonly Effect[];
      /** `{ path, hunks }`: unified-diff hunks for the person. */
      readonly display: Json;
    }
  | { readonly type: 'failed'; readonly why: string };

/** `before`: what was there, whose encoding and mark are kept; `known`: what the model had seen of it. */
export async function saveText(
  file: { readonly path: string; readonly text: string; readonly before: TextReading | undefined; readonly known: FileView | undefined },
  { blobs }: Pick<ToolContext, 'blobs'>,
): Promise<Saved> {
  const { text, before, known } = file;
  // The text before is kept whatever its length: rewinding files has nothing else to go back to.
  const old = before === undefined ? null : await blobs.put(before.text);
  const written = await writeTextFile(file.path, text, before);
  if (written.type === 'failed') return written;
  await keepText(text, blobs);
  const { hunks } = await diffLines(before?.text ?? '', text);
  const lines = known === undefined ? 'all' : shiftRanges(known.lines, hunks);
  const view = viewOf({ path: written.path, text, stat: written.stat, lines });
  const note =
    before !== undefined && before.encoding !== written.encoding
      ? `it is ${written.encoding} now, no longer ${before.encoding}`
      : undefined;
  return {
    type: 'saved',
    created: written.created,
    ...(note === undefined ? {} : { note }),
    hunks,
    effects: [
      { type: 'wrote', view, before: old },
      { type: 'touched', path: written.path },
    ],
    display: { path: written.path, hunks: hunks.map(hunkText) },
  };
}
