/** Small transcripts of our own making, in the shapes that other programs write. */
import { expect, test } from 'vitest';
import { TranscriptLog } from '../log.js';
import { readPublic } from './read.js';
import { publicRecords } from './records.js';

type Line = Readonly<Record<string, unknown>>;

const user = (uuid: string, parentUuid: string | null, content: unknown, more: Line = {}): Line => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...more,
});
const answer = (uuid: string, parentUuid: string | null, id: string, block: Line, output: number): Line => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: {
    id,
    model: 'claude-opus-4-6',
    role: 'assistant',
    content: [block],
    usage: { input_tokens: 3, cache_read_input_tokens: 100, output_tokens: output },
  },
});
const said = (text: string): Line => ({ type: 'text', text });
const called = (id: string): Line => ({ type: 'tool_use', id, name: 'Read', input: { file_path: 'a.ts' } });
const result = (call: string, content: unknown = 'text'): readonly Line[] => [{ type: 'tool_result', tool_use_id: call, content }];

async function* linesOf(lines: readonly (Line | string)[]): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
}
const read = (...lines: readonly (Line | string)[]) => readPublic(linesOf(lines));
const ids = ({ chain }: Awaited<ReturnType<typeof read>>) => chain.entries.map(({ uuid }) => uuid).join(' ');

test('an answer on several lines counts once, with the usage of its last line', async () => {
  const found = await read(
    user('u', null, 'Look.'),
    answer('a1', 'u', 'msg_1', said('Looking.'), 1),
    answer('a2', 'a1', 'msg_1', called('c'), 40),
    user('r', 'a2', result('c')),
    answer('a3', 'r', 'msg_2', said('Done.'), 7),
  );
  expect(found).toMatchObject({ lines: 5, answers: 2, notes: [], records: { user: 2, assistant: 3 } });
  expect(found.usage).toEqual({ input_tokens: 6, output_tokens: 47, cache_read_input_tokens: 200, cache_creation_input_tokens: 0 });
  const records = publicRecords(found, 't');
  expect(records.map(({ type }) => type)).toEqual(['user', 'prefix', 'assistant', 'tool_result', 'assistant']);
  expect(records[2]).toMatchObject({ message: { content: [said('Looking.'), called('c')], usage: { output_tokens: 40 } } });
});

test('results of parallel calls stand on branches, progress lines in between', async () => {
  const found = await read(
    user('u', null, 'Look.'),
    answer('a1', 'u', 'msg_1', called('c1'), 9),
    { type: 'progress', uuid: 'p', parentUuid: 'a1' },
    answer('a2', 'p', 'msg_1', called('c2'), 9),
    user('r1', 'a1', result('c1')),
    user('r2', 'a2', result('c2', [said('more')])),
    answer('a3', 'r2', 'msg_2', said('Done.'), 9),
  );
  expect(ids(found)).toBe('u a1 p a2 r2 a3');
  expect(found.chain.endsAt).toBe('root');
});

test('what a compaction kept hangs on its anchor, not on what was compacted away', async () => {
  const found = await read(
    user('u1', null, 'First.'),
    answer('a1', 'u1', 'msg_1', said('One.'), 9),
    user('u2', 'a1', 'Second.'),
    answer('a2', 'u2', 'msg_2', said('Two.'), 9),
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b',
      parentUuid: null,
      logicalParentUuid: 'a2',
      compactMetadata: { trigger: 'manual', preTokens: 900, preservedSegment: { headUuid: 'u2', anchorUuid: 's', tailUuid: 'a2' } },
    },
    user('s', 'b', 'What was before.', { isCompactSummary: true }),
    user('u3', 'a2', 'Third.'),
    answer('a3', 'u3', 'msg_3', said('Three.'), 9),
  );
  expect(ids(found)).toBe('b s u2 a2 u3 a3');
  expect(found.boundaries.map(({ uuid }) => uuid)).toEqual(['b']);
  const log = new TranscriptLog();
  log.add(publicRecords(found, 't'));
  expect(log.window.map(({ id }) => id)).toEqual(['b', 's', 'u2', 'a2', 'u3', 'a3']);
  expect(log.chain.map(({ id }) => id)).toEqual(['u1', 'a1:prefix', 'a1', 'u2', 'a2', 'b', 's', 'u3', 'a3']);
  expect(log.get('b')).toMatchObject({ trigger: 'manual', preTokens: 900, keepFrom: 'u2' });
});

test.each([
  ['a half line', [user('u', null, 'Hi.'), '{"type":"assi'], 'u', 'root', 1],
  [
    'two records on one line',
    [user('u', null, 'Hi.'), `${JSON.stringify(user('x', 'u', 'a'))}${JSON.stringify(user('y', 'x', 'b'))}`],
    'u',
    'root',
    1,
  ],
  ['a first parent that is not there', [user('u', 'gone', 'Hi.')], 'u', 'missing parent', 0],
  ['a cycle', [user('u', 'v', 'Hi.'), user('v', 'u', 'Ho.'), user('w', 'v', 'He.')], 'u v w', 'cycle', 0],
  ['a record that comes twice', [user('u', null, 'Hi.'), user('v', 'u', 'Ho.'), user('u', null, 'Hi.')], 'u v', 'root', 0],
  ['a branch that is only for the model', [user('u', null, 'Hi.'), user('m', null, 'x', { isMeta: true })], 'u', 'root', 0],
  ["a sub-agent's file", [user('u', null, 'Hi.', { isSidechain: true }), user('v', 'u', 'Ho.', { isSidechain: true })], 'u v', 'root', 0],
  ['lines without ids', [{ type: 'user', message: { content: 'Hi.' } }], '', 'no leaf', 0],
  ['nothing', [], '', 'no leaf', 0],
  ['no objects', ['[1]', '7', '"x"', '{}'], '', 'no leaf', 3],
])('%s', async (_what, lines, chain, endsAt, notes) => {
  const found = await read(...lines);
  expect([ids(found), found.chain.endsAt, found.notes.length]).toEqual([chain, endsAt, notes]);
});

test('attachments are counted, and keep what was rendered', async () => {
  const found = await read(
    user('u', null, [said('Hi.'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }]),
    {
      type: 'attachment',
      uuid: 't',
      parentUuid: 'u',
      attachment: { type: 'date_change', newDate: '2026-01-02' },
      rendered: [{ content: 'It is the 2nd.' }],
    },
    { type: 'attachment', uuid: 'h', parentUuid: 't', attachment: { type: 'hook_success' } },
    answer('a', 'h', 'msg_1', said('Hello.'), 3),
  );
  expect(found.attachments).toEqual({ date_change: 1, hook_success: 1 });
  expect(publicRecords(found, 't')).toMatchObject([
    { type: 'user', content: [{ type: 'text' }, { type: 'image' }] },
    { type: 'attachment', kind: 'date_change', host: 'u', content: [said('It is the 2nd.')], data: { newDate: '2026-01-02' } },
    { type: 'attachment', kind: 'hook_success', content: [] },
    { type: 'prefix', model: 'claude-opus-4-6' },
    { type: 'assistant' },
  ]);
});
