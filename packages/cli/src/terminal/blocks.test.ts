import { expect, it } from 'vitest';
import { toolLines } from './blocks.js';
import { PLAIN } from './theme.js';

const look = { width: 40, theme: PLAIN, expanded: false };
const ended = (text: string, isError: boolean) =>
  toolLines('Bash x', { type: 'ended', outcome: { content: [{ type: 'text', text }], isError } }, look);

it('shows why a call was refused to the end of the line, also on a narrow screen', () => {
  const text = 'Not allowed: the hook PreToolUse:Bash refuses it: A person pushes here.';
  expect(ended(text, true)).toEqual(['✗ Bash x', '  Not allowed: the hook PreToolUse:Bash', '  refuses it: A person pushes here.']);
  expect(ended(text, false)).toHaveLength(2);
});

it('shows of a long line of a failure three rows, and of many lines the first and the last ones', () => {
  const long = ended('word '.repeat(100_000), true);
  expect(long.length).toBeLessThanOrEqual(5);
  expect(long.at(-1)).toContain('…');
  const many = ended(['Exit code 1', ...Array.from({ length: 50 }, (_, n) => `line ${n} ${'x'.repeat(60)}`)].join('\n'), true);
  expect(many).toHaveLength(8);
  expect(many[1]).toBe('  Exit code 1');
});
