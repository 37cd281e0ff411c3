/** Which of many seen files may have changed: by stat first, in slices, so that a thousand files cost milliseconds. */
import { setImmediate } from 'node:timers/promises';
import type { FileView } from '@sidenote/engine';
import { look, lookSync, type FileStat, type Looked } from './stat.js';

export type Moved = { readonly view: FileView; readonly now: Exclude<Looked, { readonly type: 'unknown' }> };

const sliceSize = 100;
/** Milliseconds: a slice that takes longer lies on a slow disk, and the rest is asked without blocking. */
const slowSliceMs = 50;

/** Remembers which stats were found to hold the text that was seen. It can be lost: then files are read once more. */
export type Known = Map<string, string>;

/** The views whose file is gone or whose stat doesn't prove it the same. What can't be told now is left out. */
export async function movedFiles(views: readonly FileView[], known: Known, signal: AbortSignal): Promise<readonly Moved[]> {
  const moved: Moved[] = [];
  let slow = false;
  for (let from = 0; from < views.length && !signal.aborted; from += sliceSize) {
    const slice = views.slice(from, from + sliceSize);
    const started = performance.now();
    const found = slow ? await Promise.all(slice.map((view) => look(view.path))) : slice.map((view) => lookSync(view.path));
    slow ||= performance.now() - started > slowSliceMs;
    slice.forEach((view, index) => {
      const now = found[index];
      if (now !== undefined && now.type !== 'unknown' && !isSame(view, now, known)) moved.push({ view, now });
    });
    if (from + sliceSize < views.length) await setImmediate();
  }
  return moved;
}

/** What identifies a state of a file as far as a stat can. */
export function stampOf(view: FileView, stat: FileStat): string {
  return `${view.digest} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.size} ${stat.inode}`;
}

function isSame(view: FileView, now: Looked, known: Known): boolean {
  if (now.type !== 'found' || now.kind !== 'file') return false;
  const { mtimeNs, size, inode } = now.stat;
  const same = mtimeNs === view.mtimeNs && size === view.size && inode === view.inode;
  return (same && view.racy === undefined) || known.get(view.path) === stampOf(view, now.stat);
}
