import { expect, test } from 'vitest';
import type { OutputStyle } from '../ports.js';
import type { TranscriptRecord } from '../../transcript/records.js';
import { ask, moment, source } from './kind.testing.js';
import { outputStyle, STYLE_SECTION } from './output-style.js';

const NONE: OutputStyle = { name: 'Default', text: '' };
const TERSE: OutputStyle = { name: 'terse', text: 'Few words.' };

const told = (
  style: OutputStyle,
  how: { readonly held?: string; readonly records?: readonly TranscriptRecord[]; readonly tokens?: number } = {},
) =>
  ask(outputStyle, {
    records: how.records ?? [],
    ports: { outputStyle: source(style), digest: (bytes) => `of ${bytes}` },
    moment: moment({ system: how.held === undefined ? [] : [{ name: STYLE_SECTION, text: how.held, static: false }] }),
    ...(how.tokens === undefined ? {} : { tokens: how.tokens }),
  });

test('the default style is never spoken of', async () => {
  expect((await told(NONE)).type).toBe('nothing');
});

test('a style of the prompt is named once in a window', async () => {
  const first = await told(TERSE, { held: TERSE.text });
  expect(first.text).toBe('The output style terse is in force: answer as the system prompt says of it.');
  expect((await told(TERSE, { held: TERSE.text, records: first.records })).type).toBe('nothing');
  expect((await told(TERSE, { held: TERSE.text })).type).toBe('new');
});

test('a style that the prompt does not hold is told whole, also when its text changed, and cut to its room', async () => {
  const first = await told(TERSE, { held: 'Another.' });
  expect(first.text).toContain('Few words.');
  const changed = { name: 'terse', text: 'Fewer words.' };
  expect((await told(changed, { records: first.records })).text).toContain('Fewer words.');
  const long = { name: 'long', text: 'a line of a style\n'.repeat(1_000) };
  expect((await told(long, { tokens: 100 })).cut).toMatch(/lines of the output style$/);
  expect(JSON.stringify((await told(long)).record?.data).length).toBeLessThan(20_000);
});

test('leaving a style is told, from the prompt or from an earlier message', async () => {
  expect((await told(NONE, { held: TERSE.text })).text).toContain('No output style is set any more');
  const first = await told(TERSE);
  const left = await told(NONE, { records: first.records });
  expect(left.type).toBe('new');
  expect((await told(NONE, { records: [...first.records, ...left.records] })).type).toBe('nothing');
  expect((await told(TERSE, { held: TERSE.text, records: [...first.records, ...left.records] })).text).toContain(
    'as the system prompt says',
  );
});
