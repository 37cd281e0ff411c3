import { expect, test } from 'vitest';
import type { Ports } from '../ports.js';
import type { AssistantRecord, BoundaryRecord, Effect, TranscriptRecord } from '../../transcript/records.js';
import { restoredFiles } from './restored-files.js';
import { ask, blobs, instructions, moment, result, source, view } from './kind.testing.js';
import { projectInstructions } from './project-instructions.js';

const at = '2031-03-01T10:00:00.000Z';
const common = (id: string) => ({ id, at, thread: 't', parent: null, batch: { id, index: 0, count: 1 } });
const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const answered = (id: string): AssistantRecord => ({
  ...common(id),
  type: 'assistant',
  asked: 'm',
  message: { id, model: 'm', content: [], stop_reason: null, usage },
});
const boundary = (keepFrom: string | null = null): BoundaryRecord => ({
  ...common('b'),
  type: 'compact_boundary',
  before: 'x',
  keepFrom,
  trigger: 'auto',
  preTokens: 1,
});
const seen = (path: string): Effect => ({ type: 'viewed', view: view(path) });
const read = (...paths: string[]): TranscriptRecord => result('c', 'text', paths.map(seen));

/** Files as they are now; others are missing. */
function disk(files: Readonly<Record<string, string>>): Pick<Required<Ports>, 'mentions' | 'blobs'> & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    blobs: blobs(),
    mentions: {
      find: () => [],
      async read({ path }) {
        asked.push(path);
        const text = files[path];
        if (text === undefined) return { type: 'missing', path, why: 'there is no such file' };
        return { type: 'file', path, text, view: view(path, { digest: `now ${text}` }) };
      },
    },
  };
}
const restore = (
  records: readonly TranscriptRecord[],
  files: Readonly<Record<string, string>>,
  more: Partial<Parameters<typeof ask>[1]> = {},
) => ask(restoredFiles, { records, ports: disk(files), ...more });

test('files come again as they are now, the newest first, and count as seen', async () => {
  const records = [answered('1'), read('/a', '/b'), answered('2'), read('/a'), boundary()];
  const again = await restore(records, { '/a': '1\tA now', '/b': '1\tB now' });
  expect(again.text.indexOf('A now')).toBeLessThan(again.text.indexOf('B now'));
  expect(again.record?.effects).toEqual([
    { type: 'viewed', view: view('/a', { digest: 'now 1\tA now' }) },
    { type: 'viewed', view: view('/b', { digest: 'now 1\tB now' }) },
  ]);
  expect((await restore([...records, ...again.records], {})).type).toBe('nothing');
});

test('nothing comes again before a compaction, or when nothing was read', async () => {
  expect((await restore([answered('1'), read('/a')], { '/a': 'A' })).type).toBe('nothing');
  expect((await restore([answered('1'), boundary()], {})).type).toBe('nothing');
});

test('what stands in the kept tail, was read since or is mentioned now is not shown a second time', async () => {
  const records = [answered('1'), read('/a'), answered('2'), read('/b'), answered('3'), boundary('2')];
  expect((await restore(records, { '/a': 'A', '/b': 'B' })).text).not.toContain('/b');
  expect((await restore([...records, read('/a')], { '/a': 'A' })).type).toBe('nothing');
  const mentioned = moment({ effects: [seen('/a')] });
  expect((await restore(records, { '/a': 'A' }, { moment: mentioned })).type).toBe('nothing');
});

test('five files, each inside its room; the older ones by name, instruction files not at all', async () => {
  const paths = Array.from({ length: 8 }, (_, n) => `/f${n}`);
  const files = Object.fromEntries(paths.map((path) => [path, `1\t${path} ${'long line\n'.repeat(3_000)}`]));
  const told: TranscriptRecord = result('c', '', [{ type: 'viewed', view: view('/CLAUDE.md', { form: 'instructions' }) }]);
  const again = await restore([answered('1'), read(...paths), told, boundary()], files, { tokens: 200_000 });
  expect(again.text).not.toContain('CLAUDE.md');
  expect(again.text).toContain('- /f2\n- /f1\n- /f0');
  expect(again.text.match(/more lines left out/g)).toHaveLength(5);
  expect(again.text.length).toBeLessThan(5 * 15_000 + 1_000);
  expect(again.cut).toContain('lines of /f7');
  const views = again.record?.effects.flatMap((effect) => (effect.type === 'viewed' ? [effect.view.lines] : [])) ?? [];
  expect(views.every((lines) => lines !== 'all' && lines.length === 1)).toBe(true);
});

test('a file that is gone, refused or unreadable is one line, and is not asked for again', async () => {
  const records = [answered('1'), read('/gone'), boundary()];
  const again = await restore(records, {});
  expect(again.text).toContain('/gone is not shown: there is no such file.');
  expect((await restore([...records, ...again.records], {})).type).toBe('nothing');
});

test('without any room names are left, and nothing counts as seen', async () => {
  const again = await restore([answered('1'), read('/a'), boundary()], { '/a': '1\tA\n2\tB' }, { tokens: 0 });
  expect(again.record?.effects).toEqual([]);
});

test('an index of memories that was told with the instructions is theirs to tell again, also when it was read besides', async () => {
  const index = instructions('/MEMORY.md', 'I', { view: view('/MEMORY.md') });
  const told = await ask(projectInstructions, { ports: { instructions: source([index]), blobs: blobs() } });
  const records = [answered('1'), ...told.records, read('/MEMORY.md', '/a'), boundary()];
  const again = await restore(records, { '/MEMORY.md': 'I', '/a': 'A' });
  expect(again.text).toContain('/a');
  expect(again.text).not.toContain('MEMORY.md');
});
