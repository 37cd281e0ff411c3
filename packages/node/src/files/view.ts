/** Views: the record of what a model has seen of a file, from which later changes are told. */
import type { Blobs, Effect, FileView } from '@sidenote/engine';
import { digestOf } from './digest.js';
import { readTextFile } from './read.js';
import type { FileStat } from './stat.js';

/** Characters: of longer texts only the digest is kept, and a change says to read the file again. */
export const maxKeptLength = 200_000;

/** The view of a text that was shown. `path` is the real one; `lines` default to all of them, `form` to `raw`. */
export function viewOf(seen: {
  readonly path: string;
  readonly text: string | Uint8Array;
  readonly stat: FileStat;
  readonly lines?: FileView['lines'];
  readonly form?: FileView['form'];
}): FileView {
  const { size, mtimeNs, inode, racy } = seen.stat;
  return {
    path: seen.path,
    digest: digestOf(seen.text),
    size,
    mtimeNs,
    inode,
    lines: seen.lines ?? 'all',
    form: seen.form ?? 'raw',
    ...(racy ? { racy: true as const } : {}),
  };
}

/** Puts a text where later diffs find it, unless it is too long to be kept. */
export async function keepText(text: string, blobs: Blobs): Promise<void> {
  if (text.length <= maxKeptLength) await blobs.put(text);
}

/**
 * The effect to return from a tool of one's own that has shown a file to the model:
 * `effects: [await viewed(path, blobs)]`. What can't be read as text gives `touched`: there is nothing to watch.
 */
export async function viewed(
  path: string,
  blobs: Blobs,
  options: { readonly lines?: FileView['lines']; readonly form?: FileView['form'] } = {},
): Promise<Effect> {
  const reading = await readTextFile(path);
  if (reading.type !== 'text') return { type: 'touched', path };
  await keepText(reading.text, blobs);
  return { type: 'viewed', view: viewOf({ ...reading, ...options }) };
}
