/** Images and PDFs, told by their first bytes and never by their names. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
export type MediaType = ImageType | 'application/pdf';

/** The media type that a file's first bytes stand for; undefined for everything a model can't be shown. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.startsWith('%PDF-')) return 'application/pdf';
  return undefined;
}

/** A PDF that asks for a password, or could: every provider refuses the request that holds one. */
export function isEncryptedPdf(bytes: Uint8Array): boolean {
  return /\/Encrypt\s*(\d+\s+\d+\s+R|<<)/.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}
