/** Reading instruction files without waiting: they are small and many, and a hundred waits cost more than the reading. */
import { closeSync, constants, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../files/failure.js';
import { understood, type FileReading } from '../files/read.js';
import { kindIn } from '../files/special.js';
import { fileStat, type FileStat } from '../files/stat.js';

/** What lies at a path. `key` is the same for every name of one file. */
export type Found =
  | {
      readonly type: 'found';
      readonly real: string;
      readonly key: string;
      readonly kind: ReturnType<typeof kindIn>;
      readonly stat: FileStat;
    }
  | { readonly type: 'missing' }
  | { readonly type: 'unreadable'; readonly why: string };

/** `realFolders` remembers real paths of folders from one look to the next. Never throws. */
export function findNow(path: string, realFolders: Map<string, string> = new Map()): Found {
  try {
    const itself = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    const raw = itself?.isSymbolicLink() === true ? statSync(path, { bigint: true, throwIfNoEntry: false }) : itself;
    if (raw === undefined) return { type: 'missing' };
    const real = raw === itself ? join(realFolder(dirname(path), realFolders), basename(path)) : realpathSync.native(path);
    return { type: 'found', real, key: `${raw.dev}:${raw.ino}`, kind: kindIn(raw), stat: fileStat(raw) };
  } catch (error) {
    return lost(error);
  }
}

function realFolder(folder: string, known: Map<string, string>): string {
  const real = known.get(folder) ?? realpathSync.native(folder);
  known.set(folder, real);
  return real;
}

/** Pipes, sockets and devices are named and never opened. Never throws. */
export function readNow({ real: path, kind, stat }: Extract<Found, { type: 'found' }>, maxBytes: number): FileReading {
  if (kind === 'directory') return { type: 'directory', path };
  if (kind !== 'file') return { type: 'special', path, kind };
  if (stat.size > maxBytes) return { type: 'too-large', path, size: stat.size, stat };
  let file: number | undefined;
  try {
    // A pipe that took the file's place since would hang a plain open.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const bytes = bytesOf(file, maxBytes, stat.size);
    return bytes.length > maxBytes ? { type: 'too-large', path, size: bytes.length, stat } : understood(path, bytes, stat);
  } catch (error) {
    return lost(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** To the end of the file, whatever its size says, and one byte beyond the limit at most. */
function bytesOf(file: number, maxBytes: number, expected: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let size = Math.max(expected + 1, 512); length <= maxBytes; size = 65_536) {
    const chunk = Buffer.allocUnsafe(Math.min(size, maxBytes + 1 - length));
    const count = readSync(file, chunk, 0, chunk.length, null);
    if (count > 0) chunks.push(chunk.subarray(0, count));
    length += count;
    // What is read in full as its size said needs no second look for its end.
    if (count === 0 || length === expected) break;
  }
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length);
}

function lost(error: unknown): Extract<Found, { type: 'missing' | 'unreadable' }> {
  const why = codeOf(error);
  return why === 'ENOENT' || why === 'ENOTDIR' ? { type: 'missing' } : { type: 'unreadable', why };
}
