/** Keeps the output of a command: its head and tail in memory, all of it in a file once it is long. */
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { countText, messageOf } from '@sidenote/engine';

export type CaptureOptions = {
  /** Where long output goes. The folder is made when needed. */
  readonly file: string;
  /** Characters after which the file is written; 0: from the start. Default 30,000. */
  readonly spillAfter?: number;
  /** Characters kept in memory. Default 30,000. */
  readonly keep?: number;
  /** Characters after which the file grows no more, so that an endless command doesn't fill the disk. Default 64 Mi. */
  readonly maxFile?: number;
};

export type Captured = {
  /** All of the output, or its head and tail around a line that says what is left out. */
  readonly output: string;
  readonly totalChars: number;
  /** Present when output was written to a file. */
  readonly file?: string;
};

export interface Capture {
  add(text: string): void;
  /** Closes the file. Nothing can be added afterwards. */
  end(): Captured;
}

/** The first `length` characters; one less rather than half a surrogate pair. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** The last `length` characters; one less rather than half a surrogate pair. */
export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = length === 0 ? '' : text.slice(-length);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}

/** Starts a capture. A file that can't be written is said in the text, never thrown. */
export function captureOutput(options: CaptureOptions): Capture {
  const { file, spillAfter = 30_000, keep = 30_000, maxFile = 64 * 1024 * 1024 } = options;
  const half = Math.floor(keep / 2);
  let head = '';
  let tail: string | undefined;
  let total = 0;
  let spilled = 0;
  let spill: { readonly fd: number } | { readonly failed: string } | undefined;

  const write = (text: string): void => {
    if (spill === undefined || 'failed' in spill || spilled >= maxFile) return;
    const part = headOf(text, maxFile - spilled);
    try {
      writeFileSync(spill.fd, part);
      spilled += text.length;
    } catch (error) {
      closeSync(spill.fd);
      spill = { failed: messageOf(error) };
    }
  };
  const open = (): void => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      spill = { fd: openSync(file, 'w', 0o600) };
    } catch (error) {
      spill = { failed: messageOf(error) };
    }
  };
  if (spillAfter === 0) open();

  return {
    add(text) {
      total += text.length;
      if (spill === undefined && total > spillAfter) {
        open();
        write(head + (tail ?? ''));
      }
      write(text);
      if (tail === undefined) {
        head += text;
        if (head.length <= keep) return;
        const whole = head;
        head = headOf(whole, half);
        tail = tailOf(whole.slice(head.length), half);
      } else {
        tail = tailOf(tail + text, half);
      }
    },
    end() {
      const written = spill !== undefined && !('failed' in spill);
      if (spill !== undefined && 'fd' in spill) closeSync(spill.fd);
      const base = { totalChars: total, ...(written ? { file } : {}) };
      if (tail === undefined) return { ...base, output: head };
      const where =
        spill === undefined
          ? ''
          : 'failed' in spill
            ? `; it could not be kept in a file: ${spill.failed}`
            : `; ${spilled > maxFile ? `the first ${countText(maxFile)} characters` : 'all of it'} in ${file}`;
      const left = total - head.length - tail.length;
      return { ...base, output: `${head}\n[… ${countText(left)} of ${countText(total)} characters left out${where} …]\n${tail}` };
    },
  };
}
