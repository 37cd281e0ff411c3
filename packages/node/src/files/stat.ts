/** What a file's metadata says, in the precision that tells two writes apart. */
import { statSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

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
  try {
    return fileStat(await stat(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** Like `statFile`, and faster for many small looks in a row; `kind` tells files from folders and the rest. */
export function statFileSync(path: string): { readonly stat: FileStat; readonly kind: 'file' | 'directory' | 'special' } | undefined {
  try {
    const raw = statSync(path, { bigint: true, throwIfNoEntry: false });
    return raw && { stat: fileStat(raw), kind: raw.isFile() ? 'file' : raw.isDirectory() ? 'directory' : 'special' };
  } catch {
    return undefined;
  }
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
