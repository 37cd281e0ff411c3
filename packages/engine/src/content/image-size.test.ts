import { expect, test } from 'vitest';
import { imageSize } from './image-size.js';

const rest = '\0'.repeat(40);

test.each([
  ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x23\x28\0\0\0\x28', 9000, 40],
  ['GIF', 'GIF89a\x40\x01\xf0\x00', 320, 240],
  ['JPEG after another segment', '\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x11\x08\x01\x00\x02\x00', 512, 256],
  ['lossy WebP', 'RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x90\x01\x2c\x01', 400, 300],
  ['lossless WebP', 'RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x8f\xc1\x4a\x00', 400, 300],
  ['extended WebP', 'RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x8f\x01\0\x2b\x01\0', 400, 300],
])('%s', (_form, start, width, height) => {
  expect(imageSize(btoa(start + rest))).toEqual({ width, height });
});

test.each([
  ['a PNG that breaks off', '\x89PNG\r\n\x1a\n\x01\x02\x03'],
  ['a JPEG without a frame', `\xff\xd8\xff\xe0\0\x04ab${rest}`],
  ['no image', 'hello, this is text'],
  ['an empty image', `GIF89a\0\0\0\0${rest}`],
])('%s has no size', (_what, start) => {
  expect(imageSize(btoa(start))).toBeNull();
});
