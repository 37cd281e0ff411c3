import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceText } from './replace-text.js';

const piece = fc.string({ unit: fc.constantFrom('a', 'b', '.', '$', '(', '\\', ' ', '\u{1F9CA}'), maxLength: 6 });
const end = fc.constantFrom('\n', '\r\n');

describe('replaceText', () => {
  it('replaces a unique text and nothing else, whatever the line ends', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), piece, piece, end, (before, after, old, replacement, lineEnd) => {
        const [head, tail] = [before.map((line) => line + lineEnd).join(''), after.map((line) => lineEnd + line).join('')];
        const text = `${head}<<${old}${lineEnd}${old}>>${tail}`;
        const result = replaceText(text, { old: `<<${old}\n${old}>>`, replacement: `${replacement}\n$&`, all: false });
        expect(result).toEqual({ type: 'replaced', count: 1, text: `${head}${replacement}${lineEnd}$&${tail}` });
      }),
    );
  });

  it('replaces all as splitting and joining does', () => {
    fc.assert(
      fc.property(
        piece,
        fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 2 }),
        piece,
        (text, old, replacement) => {
          const result = replaceText(text, { old, replacement, all: true });
          if (result.type === 'replaced') expect(result.text).toBe(text.split(old).join(replacement));
          else expect(text).not.toContain(old);
        },
      ),
    );
  });

  it('uses the line ends of the place in a file that has both', () => {
    const text = 'a\r\nb\r\nc\nd\n';
    expect(replaceText(text, { old: 'b', replacement: 'x\ny', all: false })).toMatchObject({ text: 'a\r\nx\r\ny\r\nc\nd\n' });
    expect(replaceText(text, { old: 'd', replacement: 'x\ny', all: false })).toMatchObject({ text: 'a\r\nb\r\nc\nx\ny\n' });
  });
});
