import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Selection } from '../ports.js';
import { ideOpenedFile } from './ide-opened-file.js';
import { ideSelection } from './ide-selection.js';
import { ask, moment, source, text } from './kind.testing.js';

const digest = (words: string) => createHash('sha256').update(words).digest('hex');
const words = moment({ prompts: [{ content: [text('go')] }] });
const selected = (value: Selection | null) => ({ digest, selection: source(value) });
const some: Selection = { path: '/p/a.ts', text: 'const a = 1;\nconst b = 2;', lines: [10, 11] };

test('the selected text with its place, once; another one again; a cleared one not', async () => {
  const first = await ask(ideSelection, { ports: selected(some), moment: words });
  expect(first.text).toMatchInlineSnapshot(`
    "The user has selected lines 10 to 11 of /p/a.ts in the editor; it may or may not bear on what they say:
    const a = 1;
    const b = 2;"
  `);
  expect(JSON.stringify(first.record?.data)).not.toContain('const');
  const { records } = first;
  for (const same of [some, null, { ...some, text: ' \n' }])
    expect((await ask(ideSelection, { records, ports: selected(same), moment: words })).type).toBe('nothing');
  const other = await ask(ideSelection, { records, ports: selected({ path: '/p/a.ts', text: 'x', lines: [4, 4] }), moment: words });
  expect(other.text).toContain('selected line 4 of /p/a.ts');
});

test('only with the words of someone', async () => {
  const results = moment({ trigger: 'tool_results' });
  expect((await ask(ideSelection, { ports: selected(some), moment: results })).type).toBe('nothing');
  expect((await ask(ideOpenedFile, { ports: { openedFile: source<string | null>('/p/a.ts') }, moment: results })).type).toBe('nothing');
});

test('a long selection is cut at a line, and says so', async () => {
  const long = { ...some, text: 'line of text\n'.repeat(100_000) };
  const told = await ask(ideSelection, { ports: selected(long), moment: words });
  expect(told.text.length).toBeLessThan(12_500);
  expect(told.text).toMatch(/more lines left out for want of room; reading the file gives all of it\]$/);
  expect(told.cut).toMatch(/lines of the selection/);
});

test('an open file is told when it is another one than last told, by a selection too', async () => {
  const open = (path: string | null) => ({ openedFile: source(path) });
  const first = await ask(ideOpenedFile, { ports: open('/p/a.ts'), moment: words });
  expect(first.text).toBe('The user has /p/a.ts open in the editor. It may or may not bear on what they say.');
  for (const path of ['/p/a.ts', null])
    expect((await ask(ideOpenedFile, { records: first.records, ports: open(path), moment: words })).type).toBe('nothing');
  expect((await ask(ideOpenedFile, { records: first.records, ports: open('/p/b.ts'), moment: words })).text).toContain('/p/b.ts');
  const bySelection = await ask(ideSelection, { ports: selected(some), moment: words });
  expect((await ask(ideOpenedFile, { records: bySelection.records, ports: open('/p/a.ts'), moment: words })).type).toBe('nothing');
});
