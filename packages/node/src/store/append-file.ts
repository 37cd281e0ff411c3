/** One append-only file: each append is on disk as a whole, or it is not there and the caller is told. */
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storeError } from './failure.js';
import { makeFolder, syncFolder } from './folders.js';

export interface AppendFile {
  /**
   * Adds the lines with one write. `power`: on the disk before it resolves; `process`: with the system. Appends are done
   * in the order of the calls. Rejects with `StoreFullError` or `StoreReadOnlyError`; then nothing of it is in the file.
   */
  append(lines: readonly string[], survive: 'process' | 'power'): Promise<void>;
  /** Waits for appends under way. */
  close(): Promise<void>;
}

/** Opens nothing and makes nothing until the first append. */
export function appendFile(path: string): AppendFile {
  let handle: FileHandle | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** Folders that got a new entry which a power cut could still undo. */
  let unsynced: string[] = [];

  const opened = async (): Promise<{ readonly file: FileHandle; readonly size: number }> => {
    if (handle !== undefined) {
      const { nlink, size } = await handle.stat();
      if (nlink > 0) return { file: handle, size };
      // Someone deleted the file: what is said from here on still has to be found.
      await handle.close();
      handle = undefined;
    }
    const made = await makeFolder(dirname(path));
    const file = await open(path, 'a+', 0o600);
    handle = file;
    unsynced = [...new Set([dirname(path), ...made.map((folder) => dirname(folder))])];
    return { file, size: (await file.stat()).size };
  };

  const append = async (lines: readonly string[], survive: 'process' | 'power'): Promise<void> => {
    try {
      const { file, size } = await opened();
      const text = `${(await isBroken(file, size)) ? '\n' : ''}${lines.join('\n')}\n`;
      try {
        await writeAll(file, Buffer.from(text, 'utf8'));
        if (survive === 'process') return;
        await file.datasync();
        for (const folder of unsynced) await syncFolder(folder);
        unsynced = [];
      } catch (error) {
        await file.truncate(size);
        throw error;
      }
    } catch (error) {
      throw storeError(error, path);
    }
  };

  return {
    append(lines, survive) {
      const done = last.then(() => append(lines, survive));
      last = done.catch(() => undefined);
      return done;
    },
    async close() {
      await last;
      await handle?.close();
      handle = undefined;
    },
  };
}

/** Whether the last line has no end: what is added then begins with one, and a torn line stays alone. */
async function isBroken(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== 0x0a;
}

/** A disk that fills up takes a part first, and refuses at the next write: only then is the reason known. */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at, null)).bytesWritten;
}
