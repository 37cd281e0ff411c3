/** What stands at a path, asked before it is opened: opening a pipe waits for its other end. */
import { stat } from 'node:fs/promises';

export type SpecialKind = 'fifo' | 'socket' | 'device';

/** Follows links. Rejects as `stat` does. */
export async function kindOf(path: string): Promise<'file' | 'directory' | SpecialKind> {
  const found = await stat(path);
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  if (found.isFIFO()) return 'fifo';
  return found.isSocket() ? 'socket' : 'device';
}
