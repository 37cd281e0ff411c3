/** Bytes to text and back without losing one: every text that `decode` gives is encoded to the same bytes again. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
export type LineEnd = '\n' | '\r\n' | 'mixed';
export type Decoded = { readonly text: string; readonly bom: boolean; readonly encoding: Encoding };

/** Undefined for what is not text. Bytes that are neither UTF-8 nor binary are read as latin1, never as U+FFFD. */
export function decode(bytes: Uint8Array): Decoded | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [a, b, c] = buffer;
  if (a === 0xff && b === 0xfe) return utf16(buffer, 'utf-16le');
  if (a === 0xfe && b === 0xff) return utf16(buffer, 'utf-16be');
  if (buffer.includes(0)) return undefined;
  const bom = a === 0xef && b === 0xbb && c === 0xbf;
  const body = bom ? buffer.subarray(3) : buffer;
  try {
    return { text: strict().decode(body), bom, encoding: 'utf-8' };
  } catch {
    return body.some(isControl) ? undefined : { text: buffer.toString('latin1'), bom: false, encoding: 'latin1' };
  }
}

/** Undefined when the text holds what the encoding has no bytes for (half an emoji; beyond latin1). */
export function encode(text: string, like: { readonly bom: boolean; readonly encoding: Encoding }): Buffer | undefined {
  if (!text.isWellFormed()) return undefined;
  switch (like.encoding) {
    case 'utf-8':
      return Buffer.from(like.bom ? `\ufeff${text}` : text, 'utf8');
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    case 'latin1':
      return /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined;
  }
}

/** Which line ends a text uses; `\n` when it has none. */
export function lineEnd(text: string): LineEnd {
  const crlf = text.includes('\r\n');
  if (!crlf) return '\n';
  return /(?<!\r)\n/.test(text) ? 'mixed' : '\r\n';
}

function utf16(buffer: Buffer, encoding: 'utf-16le' | 'utf-16be'): Decoded | undefined {
  if (buffer.length % 2 === 1) return undefined;
  const body = Buffer.from(buffer.subarray(2));
  const text = (encoding === 'utf-16be' ? body.swap16() : body).toString('utf16le');
  return text.isWellFormed() && !text.includes('\0') ? { text, bom: true, encoding } : undefined;
}

/** A byte that no text has: a control character other than tab, line ends, form feed and escape. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b;
}

let decoder: { decode(bytes: Uint8Array): string } | undefined;

/** It keeps nothing between two texts, and is dearer to make than a small text is to decode. */
function strict(): { decode(bytes: Uint8Array): string } {
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder;
}
