import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, hunkText, type Hunk } from './diff.js';
import { isSeen, joinRanges, shiftRanges } from './ranges.js';

const line = fc.constantFrom('a', 'b', 'c', '', '  d', '+e', '-f', '@@ x');
const lines = fc.array(line, { maxLength: 30 });
const textOf = (all: readonly string[]): string => all.map((one) => `${one}\n`).join('');

function apply(old: readonly string[], hunks: readonly Hunk[]): string[] {
  const now: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    now.push(...old.slice(at, hunk.oldStart - 1));
    expect(now.length).toBe(hunk.newStart - 1);
    const kept = hunk.lines.filter((one) => !one.startsWith('+')).map((one) => one.slice(1));
    expect(old.slice(hunk.oldStart - 1, hunk.oldStart - 1 + hunk.oldLines)).toEqual(kept);
    now.push(...hunk.lines.filter((one) => !one.startsWith('-')).map((one) => one.slice(1)));
    at = hunk.oldStart - 1 + hunk.oldLines;
  }
  return [...now, ...old.slice(at)];
}

describe('diffLines', () => {
  it.each([200, 0])('gives hunks that make the new text of the old one (limit %i ms)', async (timeoutMs) => {
    await fc.assert(
      fc.asyncProperty(lines, lines, async (old, now) => {
        const { hunks, changedLines } = await diffLines(textOf(old), textOf(now), { timeoutMs });
        expect(apply(old, hunks)).toEqual(now);
        if (timeoutMs > 0) expect(changedLines === 0).toBe(textOf(old) === textOf(now));
      }),
    );
  });

  it('stands removed lines before added ones, under the usual header', async () => {
    const { hunks } = await diffLines('one\ntwo\nthree\n', 'one\nTWO\nTHREE\n');
    expect(hunks.map(hunkText)).toEqual(['@@ -1,3 +1,3 @@\n one\n-two\n-three\n+TWO\n+THREE']);
    expect((await diffLines('', 'x\n')).hunks.map(hunkText)).toEqual(['@@ -0,0 +1,1 @@\n+x']);
  });

  it('leaves line ends out', async () => {
    expect((await diffLines('a\r\nb\r\n', 'a\nb')).hunks).toEqual([]);
    const { hunks } = await diffLines('a\r\nb\r\n', 'a\r\nB\r\n');
    expect(hunks.map(hunkText).join()).not.toContain('\r');
  });

  it('ends in time on texts that have nothing in common', async () => {
    const all = (mark: string): string => Array.from({ length: 20_000 }, (_, i) => `${mark}${i}\n`).join('');
    const { hunks, changedLines } = await diffLines(all('a'), all('b'), { timeoutMs: 100 });
    expect([hunks.length, changedLines]).toEqual([1, 40_000]);
  });
});

describe('shiftRanges', () => {
  const ranges = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 30 }), fc.nat(8)).map(([a, n]): [number, number] => [a, a + n]),
    { minLength: 1, maxLength: 4 },
  );

  it('keeps seen lines seen, by their text, and calls no other line seen', async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, ranges, async (old, now, drawn) => {
        // Every line is told apart by its place, so that texts show where a line went.
        const before = old.map((one, i) => (now[i] === one ? `${one} ${i}` : `${one} old ${i}`));
        const after = now.map((one, i) => (old[i] === one ? `${one} ${i}` : `${one} new ${i}`));
        const seen = joinRanges(drawn.map(([a, b]): [number, number] => [a, Math.min(b, before.length)]));
        const { hunks } = await diffLines(textOf(before), textOf(after));
        const shown = hunks.filter((hunk) => isSeen(seen, hunk));
        const shifted = shiftRanges(seen, hunks);
        if (shifted === 'all') throw new Error('a part became all');
        const inside = (all: readonly (readonly [number, number])[], n: number): boolean => all.some(([a, b]) => a <= n && n <= b);
        after.forEach((text, index) => {
          const n = index + 1;
          const wasSeen = before.some((one, i) => one === text && inside(seen, i + 1));
          const wasShown = shown.some((hunk) => hunk.newStart <= n && n < hunk.newStart + hunk.newLines);
          expect(inside(shifted, n), `line ${n}`).toBe(wasSeen || wasShown);
        });
        expect(shifted.every(([a, b], i) => a <= b && b <= Math.max(after.length, 1) && a > (shifted[i - 1]?.[1] ?? 0))).toBe(true);
      }),
    );
  });

  it('leaves the whole the whole', () => {
    expect(shiftRanges('all', [])).toBe('all');
    expect(
      joinRanges([
        [5, 6],
        [1, 2],
        [3, 3],
        [9, 8],
      ]),
    ).toEqual([
      [1, 3],
      [5, 6],
    ]);
  });
});
