/** What a file's metadata says, in the precision that tells two writes apart. */
import { statSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { codeOf } from './failure.js';

export type FileStat = {
  /** Bytes on disk. */
  readonly size: number;
  /** Nanoseconds since the epoch, as decimal strings. */
  readonly mtimeNs: string;
  readonly ctimeNs: string;
  readonly inode: string;
  /**
   * The file was written less than two seconds before this was taken. On a coarse file system another write may
   * leave the very same stamp, so an equal stat proves nothing: compare the text.
   */
  readonly racy: boolean;
};

const racyMs = 2000;

/** The stat of what `path` leads to, links followed; undefined when there is nothing or it can't be told. */
export async function statFile(path: string): Promise<FileStat | undefined> {
  const looked = await look(path);
  return looked.type === 'found' ? looked.stat : undefined;
}

/** What a look at a path finds. `unknown`: it can't be told now, which is not the same as gone. */
export type Looked =
  | { readonly type: 'found'; readonly kind: 'file' | 'directory' | 'special'; readonly stat: FileStat }
  | { readonly type: 'gone' }
  | { readonly type: 'unknown' };

/** Like `statFile`, without waiting: many small looks in a row are faster so. */
export function lookSync(path: string): Looked {
  try {
    // An error costs more than the look itself.
    const raw = statSync(path, { bigint: true, throwIfNoEntry: false });
    return raw === undefined ? { type: 'gone' } : foundOf(raw);
  } catch (error) {
    return lostOf(error);
  }
}

/** Another text for another state of the file, as far as its metadata tells; also when there is none. */
export const stampOf = (path: string): string => stampIn(lookSync(path));

/** The same of a look that was taken. */
export function stampIn(looked: Looked): string {
  if (looked.type !== 'found') return looked.type;
  const { size, mtimeNs, ctimeNs, inode } = looked.stat;
  return `${size} ${mtimeNs} ${ctimeNs} ${inode}`;
}

/** `lookSync` without blocking, for slow disks. */
export async function look(path: string): Promise<Looked> {
  try {
    return foundOf(await stat(path, { bigint: true }));
  } catch (error) {
    return lostOf(error);
  }
}

function foundOf(raw: BigIntStats): Looked {
  return { type: 'found', kind: raw.isFile() ? 'file' : raw.isDirectory() ? 'directory' : 'special', stat: fileStat(raw) };
}

function lostOf(error: unknown): Looked {
  const code = codeOf(error);
  return { type: code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : 'unknown' };
}

export function fileStat(raw: BigIntStats): FileStat {
  return {
    size: Number(raw.size),
    mtimeNs: String(raw.mtimeNs),
    ctimeNs: String(raw.ctimeNs),
    inode: String(raw.ino),
    racy: Number(raw.mtimeMs) > Date.now() - racyMs,
  };
}
