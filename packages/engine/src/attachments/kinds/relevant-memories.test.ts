import { expect, test } from 'vitest';
import type { Memory } from '../ports.js';
import { ask, blobs, instructions, moment, result, view } from './kind.testing.js';
import { projectInstructions } from './project-instructions.js';
import { recalledMemories, relevantMemories } from './relevant-memories.js';

const memory = (path: string, words: string, changes: Partial<Memory> = {}): Memory =>
  instructions(path, words, { scope: 'memory', reason: 'has "deploy"', view: view(path), ...changes });
const found = [
  memory('/m/deploy.md', 'Deploy from main.'),
  memory('/m/gone.md', '', { status: 'unreadable', warning: '/m/gone.md: EACCES' }),
];

const recall = (files: readonly Memory[] | null) => ({ begin: () => undefined, take: (id: string) => (id === 'p1' ? files : null) });
const asked = moment({ prompt: 'p1' });

test('what was found for these words is told, with what a person should know beside it', async () => {
  const kept = blobs();
  const told = await ask(relevantMemories, { ports: { recall: recall(found), blobs: kept }, moment: asked });
  expect(told.text).toMatchInlineSnapshot(`
    "Memories that may bear on this, written down in earlier sessions. Each was true when it was written: check what you rely on, and correct a memory that turns out to be wrong.

    From /m/deploy.md (memory):
    Deploy from main."
  `);
  expect(told.notes).toEqual(['/m/gone.md: EACCES']);
  expect(kept.texts).toEqual(['Deploy from main.']);
  expect(told.record).toMatchObject({
    trust: 'third-party',
    title: 'memories: deploy.md',
    reason: 'has "deploy"',
    effects: [{ type: 'viewed', view: { path: '/m/deploy.md' } }],
    data: { count: 1, files: [{ path: '/m/deploy.md', why: 'has "deploy"' }] },
  });
  expect(JSON.stringify(told.record?.data)).not.toContain('from main');
});

test('nothing while the look-up runs, for other words, and for none', async () => {
  const type = async (files: readonly Memory[] | null, prompt?: string) =>
    (
      await ask(relevantMemories, {
        ports: { recall: recall(files), blobs: blobs() },
        moment: moment(prompt === undefined ? {} : { prompt }),
      })
    ).type;
  expect([await type(null, 'p1'), await type(found, 'p2'), await type(found), await type([], 'p1')]).toEqual(Array(4).fill('nothing'));
});

test('each memory once a window, also one that came with the instructions or was read in full', async () => {
  const ports = { recall: recall(found.slice(0, 1)), blobs: blobs() };
  const told = await ask(relevantMemories, { ports, moment: asked });
  const index = { read: () => ({ type: 'ready' as const, value: found.slice(0, 1), version: '1' }) };
  const opening = await ask(projectInstructions, { ports: { instructions: index, blobs: blobs() } });
  const read = [result('c1', 'Deploy', [{ type: 'viewed', view: view('/m/deploy.md') }])];
  for (const records of [told.records, opening.records, read])
    expect((await ask(relevantMemories, { records, ports, moment: asked })).type).toBe('nothing');
  const part = [result('c1', 'Deploy', [{ type: 'viewed', view: view('/m/deploy.md', { lines: [[1, 2]] }) }])];
  expect((await ask(relevantMemories, { records: part, ports, moment: asked })).type).toBe('new');
});

test('the index is no matter of a sub-agent', async () => {
  const ports = { recall: recall([memory('/m/MEMORY.md', 'Index.', { mainOnly: true }), ...found]), blobs: blobs() };
  const inside = await ask(relevantMemories, { ports, moment: { ...asked, isMain: false } });
  expect(inside.text).not.toContain('Index.');
  expect(inside.text).toContain('Deploy from main.');
});

test('a session tells what was recalled in it, and why', async () => {
  const told = await ask(relevantMemories, { ports: { recall: recall(found), blobs: blobs() }, moment: asked });
  const all = told.records.reduce(recalledMemories.step, recalledMemories.initial());
  expect([...all.values()]).toEqual([{ path: '/m/deploy.md', why: 'has "deploy"' }]);
});
