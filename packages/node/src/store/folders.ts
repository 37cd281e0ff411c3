/** Private folders: made when first needed, made durable when asked, taken away again when nothing came of them. */
import { open, rmdir } from 'node:fs/promises';
import { makeFolders } from '../files/make-folders.js';

/** Makes `folder` and its parents, readable by their owner only. Gives those that were not there, outermost first. */
export function makeFolder(folder: string): Promise<readonly string[]> {
  return makeFolders(folder, { mode: 0o700 });
}

/** Makes the entries of a folder survive a power cut. Where folders can't be opened (Windows) there is nothing to do. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes those of `folders` (outermost first) that are empty. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    const removed = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}
