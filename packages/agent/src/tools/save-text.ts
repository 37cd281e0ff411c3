/** Writes what a tool has made of a file, and says what that did: the new view, the text before, the lines that changed. */
import type { Effect, FileView, Json } from '@sidenote/engine';
import { diffLines, hunkText, keepText, shiftRanges, viewOf, writeTextFile, type FileReading, type Hunk } from '@sidenote/node';
import type { ToolEnvironment } from './environment.js';
import type { ToolContext } from './tool.js';

type TextReading = Extract<FileReading, { readonly type: 'text' }>;

export type Saved =
  | {
      readonly type: 'saved';
      readonly created: boolean;
      /** That the text could not be kept in the encoding that the file had, and what `judgeText` says. */
      readonly note?: string;
      readonly hunks: readonly Hunk[];
      readonly effects: readonly Effect[];
      /** `{ path, hunks }`: unified-diff hunks for the person. */
      readonly display: Json;
    }
  | { readonly type: 'failed'; readonly why: string };

type Saving = {
  readonly path: string;
  readonly text: string;
  /** What was there, whose encoding and mark are kept. */
  readonly before: TextReading | undefined;
  /** What the model had seen of it. */
  readonly known: FileView | undefined;
};

/** Nothing is written that `judgeText` refuses. */
export async function saveText(
  file: Saving,
  { blobs, judgeText }: Pick<ToolContext, 'blobs'> & Pick<ToolEnvironment, 'judgeText'>,
): Promise<Saved> {
  const { path, text, before, known } = file;
  const verdict = (await judgeText?.({ path, text, before: before?.text })) ?? { type: 'allowed' };
  if (verdict.type === 'refused') return { type: 'failed', why: verdict.why };
  // The text before is kept whatever its length: rewinding files has nothing else to go back to.
  const old = before === undefined ? null : await blobs.put(before.text);
  const written = await writeTextFile(path, text, before);
  if (written.type === 'failed') return written;
  await keepText(text, blobs);
  const { hunks } = await diffLines(before?.text ?? '', text);
  const lines = known === undefined ? 'all' : shiftRanges(known.lines, hunks);
  const view = viewOf({ path: written.path, text, stat: written.stat, lines });
  const recoded = before !== undefined && before.encoding !== written.encoding;
  const notes = [
    ...(recoded ? [`it is ${written.encoding} now, no longer ${before.encoding}`] : []),
    ...(verdict.type === 'near' ? [verdict.why] : []),
  ];
  return {
    type: 'saved',
    created: written.created,
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
    hunks,
    effects: [
      { type: 'wrote', view, before: old },
      { type: 'touched', path: written.path },
    ],
    display: { path: written.path, hunks: hunks.map(hunkText) },
  };
}
