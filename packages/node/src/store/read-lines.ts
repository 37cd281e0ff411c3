/** Lines of a file, streamed: the file is never held, only the line that is being put together. */
import { createReadStream } from 'node:fs';
import { codeOf } from '../files/failure.js';

const newline = 0x0a;
const chunkBytes = 256 * 1024;
/** Past this a line can't be a record, and a JavaScript string could not hold twice as much. */
const maxLineBytes = 256 * 1024 * 1024;
const keptOfLongLine = 1024;

/**
 * Every line that isn't empty, as it stands: NULs stay, bytes that are no UTF-8 become U+FFFD, a last line needs no
 * newline. A line over 256 MiB is given by its first 1,024 bytes. A missing file has no lines.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let held = 0;
  const hold = (part: Buffer) => {
    if (part.length === 0) return;
    held += part.length;
    if (held <= maxLineBytes) parts.push(part);
    else parts = [Buffer.from(Buffer.concat(parts).subarray(0, keptOfLongLine))];
  };
  const take = (): string => {
    const line = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    parts = [];
    held = 0;
    return line.toString('utf8');
  };
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      let from = 0;
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
        hold(bytes.subarray(from, at));
        from = at + 1;
        if (held > 0) yield take();
      }
      hold(bytes.subarray(from));
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  if (held > 0) yield take();
}
