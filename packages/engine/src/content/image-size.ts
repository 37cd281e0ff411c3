/** Width and height of an image from its first bytes, since providers refuse a whole request for one image that is too large. */

export type ImageSize = { readonly width: number; readonly height: number };

/** JPEG headers can hold a thumbnail and a colour profile before the size. */
const SEARCHED = 1 << 20;

/** Size in pixels of a PNG, JPEG, GIF or WebP image in base64; null when the bytes are no such image, or broken at its start. */
export function imageSize(base64: string): ImageSize | null {
  const start = bytes(base64, 64);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return start.slice(12, 16) === 'IHDR' ? size(big(start, 16, 4), big(start, 20, 4)) : null;
  if (start.startsWith('GIF8')) return size(little(start, 6, 2), little(start, 8, 2));
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return webpSize(start);
  if (start.startsWith('\xff\xd8\xff')) return jpegSize(bytes(base64, SEARCHED));
  return null;
}

function webpSize(start: string): ImageSize | null {
  const form = start.slice(12, 16);
  if (form === 'VP8X') return size(little(start, 24, 3) + 1, little(start, 27, 3) + 1);
  if (form === 'VP8 ') return size(little(start, 26, 2) & 0x3fff, little(start, 28, 2) & 0x3fff);
  if (form !== 'VP8L') return null;
  const packed = little(start, 21, 4);
  return size((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
}

/** Walks the segments to the first frame header. */
function jpegSize(data: string): ImageSize | null {
  for (let at = 2; at + 9 < data.length && data.charCodeAt(at) === 0xff;) {
    const marker = data.charCodeAt(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return size(big(data, at + 7, 2), big(data, at + 5, 2));
    else at += 2 + big(data, at + 2, 2);
  }
  return null;
}

function size(width: number, height: number): ImageSize | null {
  return width > 0 && height > 0 ? { width, height } : null;
}

/** One character per byte. */
function bytes(base64: string, count: number): string {
  return atob(base64.slice(0, Math.ceil(count / 3) * 4));
}

function big(data: string, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) value = value * 256 + data.charCodeAt(at + index);
  return value;
}

function little(data: string, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + data.charCodeAt(at + index);
  return value;
}
