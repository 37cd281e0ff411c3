import { expect, test } from 'vitest';
import { wireMedia } from './media.js';

const base64 = (bytes: string) => btoa(bytes);
const pngOf = (height: string) => base64(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0${height}0123456789`);
const png = pngOf('\0\x01');
const source = (media_type: string, data: string, type = 'base64') => ({ type, media_type, data });

test.each([
  ['image/png', png],
  ['image/jpeg', base64('\xff\xd8\xff\xc0\0\x11\x08\0\x01\0\x01\x03')],
  ['image/gif', base64('GIF89a\x01\0\x01\0..')],
  ['image/webp', base64('RIFF\x00\x00\x00\x00WEBPVP8X\0\0\0\0\0\0\0\0\0\0\0\0\0\0')],
])('%s goes out', (type, data) => {
  expect(wireMedia({ type: 'image', source: source(type, data) })).toEqual({ type: 'image', source: source(type, data) });
});

test('a PDF goes out as a document', () => {
  const data = base64('%PDF-1.7 ...');
  expect(wireMedia({ type: 'document', source: source('application/pdf', data) })?.type).toBe('document');
});

test('plain text goes out as a document, words and all', () => {
  const text = source('text/plain', 'a report', 'text');
  expect(wireMedia({ type: 'document', source: text })).toEqual({ type: 'document', source: text });
});

test.each([
  ['blank text', 'document', source('text/plain', ' \n', 'text')],
  ['text that is no plain text', 'document', source('text/html', 'a', 'text')],
  ['text as a picture', 'image', source('text/plain', 'a', 'text')],
  ['an address', 'image', { type: 'url', url: 'https://example.com/a.png' }],
  ['a type that no provider reads', 'image', source('image/bmp', png)],
  ['a name of the prototype', 'image', source('toString', png)],
  ['other bytes than the type says', 'image', source('image/jpeg', png)],
  ['bytes that are not base64', 'image', source('image/png', `${png.slice(0, -1)}*`)],
  ['padding in the middle', 'image', source('image/png', `${png.slice(0, 8)}=aa=`)],
  ['more than 8000 pixels', 'image', source('image/png', pngOf('\x1f\x41'))],
  ['an image that breaks off', 'image', source('image/png', base64('\x89PNG\r\n\x1a\n\x01'))],
  ['a wrong length', 'image', source('image/png', png.slice(1))],
  ['no bytes', 'image', source('image/png', '')],
  ['a text document', 'document', source('text/plain', 'AAAA')],
  ['a picture called a document', 'document', source('application/pdf', png)],
  ['more than ten megabytes', 'image', source('image/png', png.padEnd(10 * 1024 * 1024 + 4, 'A'))],
] as const)('%s does not', (_what, type, bad) => {
  expect(wireMedia({ type, source: bad })).toBeNull();
});

test('fields that are not on the list are left behind', () => {
  const media = { type: 'image' as const, source: { ...source('image/png', png), note: 'x' } };
  expect(wireMedia(media)).toEqual({ type: 'image', source: source('image/png', png) });
});
