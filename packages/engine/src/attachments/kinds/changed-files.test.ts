import { expect, test } from 'vitest';
import type { FileView } from '../../transcript/records.js';
import type { FileChange } from '../ports.js';
import { changedFiles } from './changed-files.js';
import { ask, blobs, moment, result, view } from './kind.testing.js';
import { viewsFold } from '../parts/views.js';

/** Tells these changes of files whose views are asked for and differ. */
function changesOf(changes: readonly FileChange[]) {
  const asked: (readonly FileView[])[] = [];
  return {
    asked,
    async since(views: readonly FileView[]) {
      asked.push(views);
      return changes.filter(({ path, view: now }) => views.some((seen) => seen.path === path && seen.digest !== now?.digest));
    },
  };
}

const seen = (...paths: string[]) =>
  result(
    'c1',
    '…',
    paths.map((path) => ({ type: 'viewed' as const, view: view(path) })),
  );
const edited = (path: string, changes: Partial<FileChange> = {}): FileChange => ({
  path,
  change: 'edited',
  hunks: ['@@ -1,2 +1,2 @@\n one\n-two\n+TWO'],
  view: view(path, { digest: 'new' }),
  changedLines: 2,
  ...changes,
});

test('each change in one notice, and never twice', async () => {
  const changes = changesOf([
    edited('/p/a.ts'),
    edited('/p/b.ts', { hunks: [], changedLines: 412, view: view('/p/b.ts', { digest: 'new', lines: [] }) }),
    edited('/p/c.bin', { hunks: [], note: 'it is a binary file now' }),
    { path: '/p/d.ts', change: 'deleted', hunks: [], view: null },
    { path: '/p/e.ts', change: 'renamed', hunks: [], view: view('/p/f.ts'), to: '/p/f.ts' },
  ]);
  const ports = { changes, blobs: blobs() };
  const records = [seen('/p/a.ts', '/p/b.ts', '/p/c.bin', '/p/d.ts', '/p/e.ts')];
  const told = await ask(changedFiles, { records, ports });
  expect(told.text).toMatchInlineSnapshot(`
    "Since you saw them, files were changed outside your tools (by the user, a formatter or a command):

    /p/a.ts was edited:
    @@ -1,2 +1,2 @@
     one
    -two
    +TWO

    /p/b.ts was edited (412 changed lines; read it again if it matters).

    /p/c.bin was edited (it is a binary file now).

    /p/d.ts was deleted.

    /p/e.ts was renamed to /p/f.ts."
  `);
  expect(told.record?.title).toBe('changed: /p/a.ts, /p/b.ts, /p/c.bin and 2 more');
  expect((await ask(changedFiles, { records: [...records, ...told.records], ports })).type).toBe('nothing');
  expect(changes.asked[1]?.map(({ path }) => path)).toEqual(['/p/a.ts', '/p/b.ts', '/p/c.bin', '/p/f.ts']);
});

test('a deleted file that comes back and is read is watched again', async () => {
  const deleted = changesOf([{ path: '/p/a.ts', change: 'deleted', hunks: [], view: null }]);
  const told = await ask(changedFiles, { records: [seen('/p/a.ts')], ports: { changes: deleted, blobs: blobs() } });
  const views = [seen('/p/a.ts'), ...told.records].reduce(viewsFold.step, viewsFold.initial());
  expect(views.size).toBe(0);
  expect([...viewsFold.step(views, seen('/p/a.ts')).keys()]).toEqual(['/p/a.ts']);
});

test('a branch switch is one summary without hunks, and what was edited is no longer known', async () => {
  const paths = Array.from({ length: 90 }, (_, n) => `/p/src${n}.ts`);
  const changes = changesOf(paths.map((path, n) => (n < 85 ? edited(path) : { path, change: 'deleted' as const, hunks: [], view: null })));
  const told = await ask(changedFiles, { records: [seen(...paths)], ports: { changes, blobs: blobs() } });
  expect(told.text).not.toContain('@@');
  expect(told.text).toContain('5 deleted:\n- /p/src85.ts\n');
  expect(told.text).toContain('85 edited:');
  expect(told.text).toMatch(/- and 30 more$/);
  expect(told.cut).toBe('30 names of changed files');
  expect(JSON.stringify(told.record?.data).length).toBeLessThanOrEqual(4096);
  const views = [seen(...paths), ...told.records].reduce(viewsFold.step, viewsFold.initial());
  expect(views.size).toBe(85);
  expect([...views.values()].every(({ lines, digest }) => lines.length === 0 && digest === 'new')).toBe(true);
});

test('instructions that changed with many files are told all the same', async () => {
  const paths = Array.from({ length: 25 }, (_, n) => `/p/src${n}.ts`);
  const order = view('/p/CLAUDE.md', { form: 'instructions' });
  const changes = changesOf([edited(order.path, { view: { ...order, digest: 'new' } }), ...paths.map((path) => edited(path))]);
  const records = [result('c0', '…', [{ type: 'viewed', view: order }]), seen(...paths)];
  const told = await ask(changedFiles, { records, ports: { changes, blobs: blobs() } });
  expect(told.text).toMatch(
    /25 edited:\n[^]*\n\nInstructions that you were given changed too:\n\n\/p\/CLAUDE\.md was edited:\n@@ -1,2 \+1,2 @@/,
  );
  expect(told.text.match(/@@ /g)).toHaveLength(1);
  const views = [...records, ...told.records].reduce(viewsFold.step, viewsFold.initial());
  expect(views.get(order.path)).toMatchObject({ digest: 'new', lines: 'all' });
  expect([...views.values()].filter(({ lines }) => lines.length === 0)).toHaveLength(25);
});

test('files are named even when there is no room for what changed in them', async () => {
  const changes = changesOf([edited('/p/a.ts'), edited('/p/b.ts', { hunks: ['x'.repeat(500)] })]);
  const told = await ask(changedFiles, { records: [seen('/p/a.ts', '/p/b.ts')], ports: { changes, blobs: blobs() }, tokens: 90 });
  expect(told.text).toContain('+TWO');
  expect(told.text).toContain('/p/b.ts was edited; no room for the difference');
  expect(told.cut).toBe('the difference of /p/b.ts');
  expect(told.record?.effects).toEqual([
    { type: 'viewed', view: view('/p/a.ts', { digest: 'new' }) },
    { type: 'viewed', view: view('/p/b.ts', { digest: 'new', lines: [] }) },
  ]);
});

test('what a mention shows in the same message is not told as a change', async () => {
  const ports = { changes: changesOf([edited('/p/a.ts')]), blobs: blobs() };
  const shown = moment({ effects: [{ type: 'viewed', view: view('/p/a.ts', { digest: 'new' }) }] });
  expect((await ask(changedFiles, { records: [seen('/p/a.ts')], ports, moment: shown })).type).toBe('nothing');
  expect(ports.changes.asked).toEqual([]);
});
