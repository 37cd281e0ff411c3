/** Reads what was added to an output file since an earlier read, bounded, on character borders. */
import { open } from 'node:fs/promises';

export type OutputPart = {
  readonly text: string;
  /** Bytes left out before `text`. */
  readonly skipped: number;
  /** Where the next read starts. */
  readonly next: number;
};

/** The output from byte `from` to the present end; only the last `maxBytes` of it. A file that can't be read has no output. */
export async function readOutput(file: string, range: { readonly from: number; readonly maxBytes: number }): Promise<OutputPart> {
  const nothing = { text: '', skipped: 0, next: range.from };
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return nothing;
  try {
    const { size } = await handle.stat();
    const start = Math.max(range.from, size - range.maxBytes);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    const bytes = buffer.subarray(borderAfter(buffer, start > range.from), borderBefore(buffer, bytesRead));
    if (bytes.length === 0) return nothing;
    const first = start + (bytes.byteOffset - buffer.byteOffset);
    return { text: bytes.toString('utf8'), skipped: first - range.from, next: first + bytes.length };
  } catch {
    return nothing;
  } finally {
    await handle.close();
  }
}

const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Offset of the first whole character when reading began anywhere. */
function borderAfter(buffer: Buffer, anywhere: boolean): number {
  let at = 0;
  while (anywhere && at < 3 && continues(buffer[at])) at += 1;
  return at;
}

/** End of the last whole character: a write may be caught halfway. */
function borderBefore(buffer: Buffer, end: number): number {
  let lead = end - 1;
  while (lead > end - 4 && continues(buffer[lead])) lead -= 1;
  const byte = buffer[lead] ?? 0;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead >= 0 && lead + length > end ? lead : end;
}
