import { expect, test } from 'vitest';
import { png } from '../testing/png.js';
import type { Media } from './content.js';
import { IMAGE_SIGHT, mediaTokens } from './media-tokens.js';

test.each([
  [28, 28, 1, 1],
  [29, 28, 2, 2],
  [1000, 1000, 1296, 1296],
  [1568, 784, 1568, 1568],
  // Scaled to 1,568 × 784 and to 2,576 × 1,288.
  [4000, 2000, 1568, 4232],
  [8000, 8000, 1568, 4784],
])('an image of %i × %i', (width, height, standard, high) => {
  expect(mediaTokens(png({ width, height }))).toBe(standard);
  expect(mediaTokens(png({ width, height }), IMAGE_SIGHT.high)).toBe(high);
});

const pdf = (text: string): Media => ({ type: 'document', source: { type: 'base64', data: btoa(text) } }) as Media;

test('a document costs its text and an image per page', () => {
  const page = mediaTokens(pdf('%PDF-1.7 1 0 obj <</Type /Pages /Kids []>> 2 0 obj <</Type/Page>>'));
  expect(page).toBeGreaterThan(1500 + 1000);
  expect(page).toBeLessThan(3000 + 1568);
  expect(mediaTokens(pdf('<</Type/Page>> <</Type /Page >> <</Type\n/Page/Parent 1 0 R>>'))).toBe(3 * page);
  // Pages in compressed objects: by size.
  expect(mediaTokens(pdf(`%PDF-1.7${'x'.repeat(200_000)}`))).toBe(4 * page);
});

test.each([
  ['no base64', { type: 'base64', data: '!' }],
  ['an address', { type: 'url', url: 'https://example.com/a.png' }],
  ['no image', { type: 'base64', data: btoa('words') }],
])('%s counts as a full image', (_what, source) => {
  expect(mediaTokens({ type: 'image', source })).toBe(IMAGE_SIGHT.standard.most);
});
