import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitArguments, substitute } from './arguments.js';

const fill = (text: string, args: string, names: readonly string[] = []) =>
  substitute(text, { args, names, variables: { SKILL_DIR: '/s', SESSION_ID: 'id' } }).text;

it('splits like a shell', () => {
  expect(splitArguments(`a "b c" d\\ e 'f "g"' h"i j"`)).toEqual(['a', 'b c', 'd e', 'f "g"', 'hi j']);
  expect(splitArguments('  "open')).toEqual(['"open']);
  expect(splitArguments('')).toEqual([]);
});

it('fills in all, one by position from 0, one by name, and variables', () => {
  expect(fill('Fix $ARGUMENTS now.', '12 high')).toBe('Fix 12 high now.');
  expect(fill('$0/$1/$ARGUMENTS[1]/$2', 'a "b c"')).toBe('a/b c/b c/');
  expect(fill('$issue on $branch, $other', '7 main', ['issue', 'branch'])).toBe('7 on main, $other');
  expect(fill('${CLAUDE_SKILL_DIR}/x ${SIDENOTE_SESSION_ID} ${CLAUDE_NONE} ${HOME}', '')).toBe('/s/x id ${CLAUDE_NONE} ${HOME}');
});

it('leaves what is none: escaped, prices, longer numbers, other names', () => {
  expect(fill('\\$0 \\$ARGUMENTS costs $5.00 or $1,000; $12 fee; $10x', 'a')).toBe('$0 $ARGUMENTS costs $5.00 or $1,000; $12 fee; $10x');
  expect(fill('$ARGUMENTSX $PATH', 'a')).toBe('$ARGUMENTSX $PATH');
});

it('says whether the arguments were asked for', () => {
  const used = (text: string) => substitute(text, { args: 'a', names: ['n'], variables: {} }).used;
  expect([used('$ARGUMENTS'), used('$0'), used('$n'), used('no'), used('\\$0')]).toEqual([true, true, true, false, false]);
});

it('what was put in is never looked into', () => {
  fc.assert(fc.property(fc.string(), (args) => fill('<$ARGUMENTS>', args) === `<${args}>`));
});
