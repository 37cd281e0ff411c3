/** Images for tests: as much of a file as tells its size. */
import type { Media } from '../content/content.js';

/** A PNG of so many pixels, without any of them. */
export function png({ width, height }: { readonly width: number; readonly height: number }): Media {
  const big = (value: number) => String.fromCharCode(...[24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff));
  const bytes = `\x89PNG\r\n\x1a\n${big(13)}IHDR${big(width)}${big(height)}\x08\x06\0\0\0`;
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: btoa(bytes) } } as Media;
}
