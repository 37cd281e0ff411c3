import { expect, test } from 'vitest';
import type { InstructionFile } from '../ports.js';
import { changedFiles } from './changed-files.js';
import { nestedMemory } from './nested-memory.js';
import { projectInstructions } from './project-instructions.js';
import { ask, blobs, instructions, moment, result, source, view } from './kind.testing.js';

/** Gives the files of the folders on the way, and remembers what it was asked for. */
function nestedIn(files: readonly InstructionFile[]) {
  const asked: (readonly string[])[] = [];
  return {
    asked,
    async below(paths: readonly string[]) {
      asked.push(paths);
      return files.filter((file) => paths.some((path) => path.startsWith(file.path.slice(0, file.path.lastIndexOf('/') + 1))));
    },
  };
}

const files = [instructions('/p/lib/CLAUDE.md', 'LIB-MOSS'), instructions('/p/lib/deep/CLAUDE.md', 'DEEP-FERN')];
const read = (call: string, path: string) => result(call, '…', [{ type: 'viewed', view: view(path) }]);

test("a folder's instructions come inside the result that entered it, nearest last, once", async () => {
  const nested = nestedIn(files);
  const ports = { nested, blobs: blobs() };
  const records = [read('c1', '/p/a.ts'), read('c2', '/p/lib/deep/a.ts')];
  const first = await ask(nestedMemory, { records, ports, moment: moment({ trigger: 'tool_results' }) });
  expect(first.text).toMatchInlineSnapshot(`
    "Instructions for files that were just touched; they add to those of the project. Where two disagree, the later one, which is nearer, counts.

    From /p/lib/CLAUDE.md (project):
    LIB-MOSS

    From /p/lib/deep/CLAUDE.md (project):
    DEEP-FERN"
  `);
  expect([first.call, first.record?.title]).toEqual(['c2', 'instructions: /p/lib/CLAUDE.md, /p/lib/deep/CLAUDE.md']);
  expect(ports.blobs.texts).toEqual(['LIB-MOSS', 'DEEP-FERN']);
  const again = await ask(nestedMemory, { records: [...records, ...first.records, read('c3', '/p/lib/b.ts')], ports });
  expect(again.type).toBe('nothing');
});

test('a mention in the same message counts as a touch', async () => {
  const ports = { nested: nestedIn(files), blobs: blobs() };
  const told = await ask(nestedMemory, { ports, moment: moment({ effects: [{ type: 'touched', path: '/p/lib/' }] }) });
  expect(told.text).toContain('LIB-MOSS');
  expect(told.text).not.toContain('DEEP-FERN');
});

test('nothing is looked for while nothing was touched', async () => {
  const nested = nestedIn(files);
  expect((await ask(nestedMemory, { ports: { nested, blobs: blobs() } })).type).toBe('nothing');
  expect(nested.asked).toEqual([]);
});

test('touches that brought nothing are not asked for again', async () => {
  const nested = nestedIn(files);
  const ports = { nested, blobs: blobs() };
  const state = nestedMemory.told.initial();
  const told = (path: string) => nestedMemory.told.step(state, read('c', path));
  await nestedMemory.collect(moment(), told('/p/a.ts'), ports);
  await nestedMemory.collect(moment(), told('/p/b.ts'), ports);
  await nestedMemory.collect(moment(), state, ports);
  expect(nested.asked).toEqual([['/p/a.ts'], ['/p/b.ts']]);
});

test('a file that the model has already is not told a second time', async () => {
  const ports = { nested: nestedIn(files.slice(0, 1)), blobs: blobs() };
  const opening = await ask(projectInstructions, { ports: { instructions: source(files), blobs: blobs() } });
  expect((await ask(nestedMemory, { records: [...opening.records, read('c1', '/p/lib/a.ts')], ports })).type).toBe('nothing');
  expect((await ask(nestedMemory, { records: [read('c1', '/p/lib/CLAUDE.md')], ports })).type).toBe('nothing');
  const shown = moment({ effects: [{ type: 'viewed', view: view('/p/lib/CLAUDE.md') }] });
  expect((await ask(nestedMemory, { ports, moment: shown })).type).toBe('nothing');
});

test('an interrupt is no answer', async () => {
  const stop = new AbortController();
  const nested = {
    async below() {
      stop.abort();
      return files;
    },
  };
  const asked = await ask(nestedMemory, {
    records: [read('c1', '/p/lib/a')],
    ports: { nested, blobs: blobs() },
    moment: moment({ signal: stop.signal }),
  });
  expect(asked.type).toBe('unavailable');
});

test('a file whose end was told comes again with the next touch once it is back', async () => {
  const ports = { nested: nestedIn(files.slice(0, 1)), blobs: blobs() };
  const records = [read('c1', '/p/lib/a.ts')];
  const first = await ask(nestedMemory, { records, ports });
  const end = { since: async () => [{ path: '/p/lib/CLAUDE.md', change: 'deleted' as const, hunks: [], view: null }] };
  const gone = await ask(changedFiles, { records: first.records, ports: { changes: end, blobs: blobs() } });
  const back = await ask(nestedMemory, { records: [...records, ...first.records, ...gone.records, read('c2', '/p/lib/b.ts')], ports });
  expect(back.text).toContain('LIB-MOSS');
});
