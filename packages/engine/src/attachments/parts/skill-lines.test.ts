import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten, skillLines } from './skill-lines.js';

const skill = (name: string, description: string) => ({ name, description });

test('what fits stands as it is, on one line each', () => {
  expect(skillLines([skill('a', 'Does\n- b: a thing.'), skill('c', '')], 1_000)).toEqual({
    lines: ['- a: Does - b: a thing.', '- c'],
    shortened: [],
    bare: [],
  });
});

test('long descriptions shorten evenly, short ones stay', () => {
  const long = 'A first sentence of some length. '.repeat(20);
  const { lines, shortened } = skillLines([skill('one', long), skill('two', long), skill('three', 'Short.')], 300);
  expect(shortened).toEqual(['one', 'two']);
  expect(lines[2]).toBe('- three: Short.');
  expect(lines.join('').length).toBeLessThanOrEqual(300);
  expect(lines[0]?.length).toBe(lines[1]?.length);
});

test('what it is and when to use it come before all else', () => {
  const text = `Makes release notes. ${'It knows many formats. '.repeat(10)}Use when a version is tagged. ${'More words. '.repeat(10)}`;
  expect(shorten(text, 120)).toMatch(/^Makes release notes\. Use when a version is tagged\. It knows/);
  expect(shorten(`${'A very long first sentence '.repeat(20)}. Use when a version is tagged.`, 100)).toMatch(
    /… Use when a version is tagged\.$/,
  );
});

test('without room for words the names stay', () => {
  const skills = Array.from({ length: 50 }, (_, n) => skill(`skill-${n}`, 'Words that say what it is for, and more.'));
  const { lines, bare } = skillLines(skills, 100);
  expect(lines).toEqual(skills.map(({ name }) => `- ${name}`));
  expect(bare).toHaveLength(50);
});

test('whatever the descriptions: one line each with its name, within the room while names are, and no half characters', () => {
  const skills = fc.array(
    fc.record({ name: fc.stringMatching(/^[a-z]{1,12}$/), description: fc.string({ unit: 'binary', maxLength: 300 }) }),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(skills, fc.integer({ min: 0, max: 3_000 }), (given, room) => {
      const { lines, shortened, bare } = skillLines(given, room);
      expect(lines).toHaveLength(given.length);
      const names = given.reduce((sum, { name }) => sum + name.length + 4, 0);
      if (room >= names) expect(lines.join('').length).toBeLessThanOrEqual(room);
      for (const [index, line] of lines.entries()) {
        expect(line.startsWith(`- ${given[index]?.name}`)).toBe(true);
        expect(line).not.toMatch(/\n/);
        if (given[index]?.description.isWellFormed()) expect(line.isWellFormed()).toBe(true);
      }
      expect(shortened.length + bare.length).toBeLessThanOrEqual(given.length);
    }),
  );
});
