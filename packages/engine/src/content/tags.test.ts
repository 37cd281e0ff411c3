import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasTags, neutralise, reminder, restore, restoreDeep } from './tags.js';

const LIVE = /<\s*\/?\s*system-reminder/i;
const pieces = fc.constantFrom(
  '<',
  '\\',
  '/',
  ' ',
  '\n',
  '\u00a0',
  'system-reminder',
  'SYSTEM-Reminder',
  'system-',
  'reminder',
  '>',
  'x',
  '\ud83e',
);
const tagged = fc.oneof(
  fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

test('restore takes away exactly what neutralise added', () => {
  fc.assert(
    fc.property(tagged, (text) => restore(neutralise(text)) === text),
    { numRuns: 2000 },
  );
});

test('neutralised text holds no live tag, however often it was neutralised', () => {
  fc.assert(
    fc.property(tagged, (text) => !LIVE.test(neutralise(text)) && !LIVE.test(neutralise(neutralise(text)))),
    { numRuns: 2000 },
  );
});

test('every spelling is caught', () => {
  const spellings = [
    '<system-reminder>',
    '</system-reminder>',
    '< / System-Reminder >',
    '<\n/\tsystem-reminder x="1">',
    '<\\system-reminder>',
  ];
  expect(spellings.map(neutralise)).toEqual([
    '<\\system-reminder>',
    '<\\/system-reminder>',
    '<\\ / System-Reminder >',
    '<\\\n/\tsystem-reminder x="1">',
    '<\\\\system-reminder>',
  ]);
  expect(spellings.every(hasTags)).toBe(true);
  expect(hasTags('a < b, the system-reminder of yesterday')).toBe(false);
});

test('text without tags is left alone, and long runs cost no more than their length', () => {
  expect(neutralise('a <b>c</b> <\\d')).toBe('a <b>c</b> <\\d');
  const blanks = `<${' '.repeat(200_000)}`.repeat(4) + `<${'\\'.repeat(200_000)}`;
  const before = performance.now();
  expect(neutralise(blanks)).toBe(blanks);
  expect(performance.now() - before).toBeLessThan(2000);
});

test('tool inputs are restored at every depth', () => {
  const input = { path: 'a.ts', edits: [{ old: neutralise('</system-reminder>'), [neutralise('<system-reminder>')]: 1 }, null, 3] };
  expect(restoreDeep(input)).toEqual({ path: 'a.ts', edits: [{ old: '</system-reminder>', '<system-reminder>': 1 }, null, 3] });
});

test('an input without tags comes back as the same object', () => {
  const input = JSON.parse('{"a":[1,{"b":"c"}],"__proto__":{"d":true}}');
  expect(restoreDeep(input)).toBe(input);
  const tagged = JSON.parse('{"__proto__":"<\\\\system-reminder>"}');
  expect(Object.entries(Object(restoreDeep(tagged)))).toEqual([['__proto__', '<system-reminder>']]);
});

test('a reminder opens and closes once', () => {
  expect(reminder('Today is 2026-10-22.')).toBe('<system-reminder>\nToday is 2026-10-22.\n</system-reminder>');
});
