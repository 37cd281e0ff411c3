/** Reading a path that someone named, whatever is there: it never blocks on a pipe and never floods memory. */
import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { codeOf } from './failure.js';
import { decode, lineEnd, type Encoding, type LineEnd } from './encoding.js';
import { isEncryptedPdf, mediaTypeOf, type ImageType } from './media.js';
import { fileStat, type FileStat } from './stat.js';
import { kindOf, type SpecialKind } from './special.js';

/** What a path holds. `path` is the real one, links resolved. */
export type FileReading =
  | {
      readonly type: 'text';
      readonly path: string;
      /** Exactly the file's characters, line ends kept, without a byte order mark. */
      readonly text: string;
      readonly eol: LineEnd;
      readonly bom: boolean;
      readonly encoding: Encoding;
      readonly stat: FileStat;
    }
  | { readonly type: 'image'; readonly path: string; readonly bytes: Uint8Array; readonly mediaType: ImageType; readonly stat: FileStat }
  | {
      readonly type: 'pdf';
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly mediaType: 'application/pdf';
      readonly stat: FileStat;
    }
  /** A PDF that no provider opens. */
  | { readonly type: 'encrypted'; readonly path: string; readonly bytes: Uint8Array; readonly stat: FileStat }
  | { readonly type: 'binary'; readonly path: string; readonly bytes: Uint8Array; readonly stat: FileStat }
  | { readonly type: 'directory'; readonly path: string }
  | { readonly type: 'special'; readonly path: string; readonly kind: SpecialKind }
  | { readonly type: 'too-large'; readonly path: string; readonly size: number; readonly stat: FileStat }
  | { readonly type: 'missing' }
  /** `why` is the system's error code (`EACCES`, `ELOOP` …). */
  | { readonly type: 'unreadable'; readonly why: string };

/** Bytes: files beyond are `too-large` unless the caller asks for more. */
export const defaultMaxBytes = 16 * 1024 * 1024;

/**
 * Reads one file. `stat` is taken before the bytes, so a write in between shows as a moved stat later.
 * `maxBytes` defaults to 16 MiB. Never rejects.
 */
export async function readTextFile(path: string, options: { readonly maxBytes?: number } = {}): Promise<FileReading> {
  const maxBytes = options.maxBytes ?? defaultMaxBytes;
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(path);
    const kind = await kindOf(real);
    if (kind === 'directory') return { type: 'directory', path: real };
    if (kind !== 'file') return { type: 'special', path: real, kind };
    // A pipe that took the file's place since would hang a plain open.
    handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const raw = await handle.stat({ bigint: true });
    if (!raw.isFile()) return { type: 'special', path: real, kind: 'device' };
    const stat = fileStat(raw);
    if (stat.size > maxBytes) return { type: 'too-large', path: real, size: stat.size, stat };
    const bytes = await readUpTo(handle, { expected: stat.size, maxBytes });
    if (bytes.length > maxBytes) return { type: 'too-large', path: real, size: bytes.length, stat };
    return understood(real, bytes, stat);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { type: 'missing' } : { type: 'unreadable', why: code };
  } finally {
    await handle?.close().catch(() => {});
  }
}

/** Bytes that were read from a regular file, by what they are. */
export function understood(path: string, bytes: Buffer, stat: FileStat): FileReading {
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === 'application/pdf') {
    return isEncryptedPdf(bytes) ? { type: 'encrypted', path, bytes, stat } : { type: 'pdf', path, bytes, mediaType, stat };
  }
  if (mediaType !== undefined) return { type: 'image', path, bytes, mediaType, stat };
  const decoded = decode(bytes);
  if (decoded === undefined) return { type: 'binary', path, bytes, stat };
  return { type: 'text', path, ...decoded, eol: lineEnd(decoded.text), stat };
}

/** To the end of the file, and one byte beyond the limit at most: files in `/proc` say 0 and others grow meanwhile. */
async function readUpTo(handle: FileHandle, limits: { readonly expected: number; readonly maxBytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  let size = Math.max(limits.expected + 1, 4096);
  while (length <= limits.maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(size, limits.maxBytes + 1 - length));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
    size = 65_536;
  }
  return Buffer.concat(chunks, length);
}
