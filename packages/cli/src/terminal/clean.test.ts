import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clean, revealed } from './clean.js';

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u0007', 'link'],
  ['\u001bPq#0\u001b\\after', 'after'],
  ['\u001b(0text\u001bM', 'text'],
  ['10 %\r50 %\r100 %\ndone', '100 %\ndone'],
  ['a\r\nb', 'a\nb'],
  ['\ttab', '    tab'],
  ['never closed \u001b]0;title', 'never closed '],
  ['\u202egnp.exe', '<U+202E>gnp.exe'],
  ['bell\u0007 null\u0000', 'bell null'],
])('%j becomes %j', (text, expected) => {
  expect(clean(text)).toBe(expected);
});

it('leaves no control character but line breaks, and changes nothing twice', () => {
  const parts = fc.constantFrom('\u001b', '[', ']', 'P', '31m', '\u0007', '\\', '\r', '\n', '\t', '\u009b', '\u202e', 'a', '0;');
  fc.assert(
    fc.property(
      fc.array(parts).map((all) => all.join('')),
      (text) => {
        const once = clean(text);
        expect(once).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(clean(once)).toBe(once);
      },
    ),
  );
});

it.each([
  ['rm x\u{e0041}\u{e007f}', 'rm x<U+E0041><U+E007F>'],
  ['a\u200bb\u202ec', 'a<U+200B>b<U+202E>c'],
  ['\ufeff\u3164\u00ad', '<U+FEFF><U+3164><U+00AD>'],
  ['plain ü 漢字 😀', 'plain ü 漢字 😀'],
  ['\u001b[31mred', 'red'],
])('a person who decides sees %j as %j', (text, expected) => {
  expect(revealed(text)).toBe(expected);
});
