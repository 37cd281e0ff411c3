/** What stands at a path, asked before it is opened: opening a pipe waits for its other end. */
import type { BigIntStats, Stats } from 'node:fs';
import { stat } from 'node:fs/promises';

export type SpecialKind = 'fifo' | 'socket' | 'device';

/** Follows links. Rejects as `stat` does. */
export async function kindOf(path: string): Promise<'file' | 'directory' | SpecialKind> {
  return kindIn(await stat(path));
}

export function kindIn(found: Stats | BigIntStats): 'file' | 'directory' | SpecialKind {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'directory';
  if (found.isFIFO()) return 'fifo';
  return found.isSocket() ? 'socket' : 'device';
}
