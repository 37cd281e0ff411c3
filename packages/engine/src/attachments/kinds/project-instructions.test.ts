import { expect, test } from 'vitest';
import { changedFiles } from './changed-files.js';
import { projectInstructions } from './project-instructions.js';
import { ask, blobs, instructions, moment, result, source, view } from './kind.testing.js';

const files = [
  instructions('/h/.claude/CLAUDE.md', 'Answer in English.', { scope: 'user' }),
  instructions('/p/AGENTS.md', 'never told', { status: 'shadowed' }),
  instructions('/p/CLAUDE.md', 'Use tabs.\nRun the tests.'),
];

test('all files in load order under path and scope, once per window', async () => {
  const kept = blobs();
  const first = await ask(projectInstructions, { ports: { instructions: source(files), blobs: kept } });
  expect(first.text).toMatchInlineSnapshot(`
    "Instructions from files of the user and of this project, in load order. Where two of them disagree, the later one, which is nearer to the working folder, counts.

    From /h/.claude/CLAUDE.md (user):
    Answer in English.

    From /p/CLAUDE.md (project):
    Use tabs.
    Run the tests."
  `);
  expect(kept.texts).toEqual(['Answer in English.', 'Use tabs.\nRun the tests.']);
  expect(first.record).toMatchObject({ title: 'project instructions: 2 files', wrap: 'opening', reason: 'a window began' });
  expect(first.record?.effects).toEqual(files.filter(({ status }) => status === 'loaded').map(({ view }) => ({ type: 'viewed', view })));
  const again = await ask(projectInstructions, { records: first.records, ports: { instructions: source(files), blobs: kept } });
  expect(again.type).toBe('nothing');
});

test('a file that appears later is told by itself', async () => {
  const ports = { instructions: source(files), blobs: blobs() };
  const first = await ask(projectInstructions, { ports });
  const more = { ...ports, instructions: source([...files, instructions('/p/CLAUDE.local.md', 'Mine.', { scope: 'local' })]) };
  const later = await ask(projectInstructions, { records: first.records, ports: more });
  expect(later.text).toMatchInlineSnapshot(`
    "Instruction files that apply from now on, besides those told before:

    From /p/CLAUDE.local.md (local):
    Mine."
  `);
  const between = await ask(projectInstructions, { records: first.records, ports: more, moment: moment({ trigger: 'tool_results' }) });
  expect(between.type).toBe('nothing');
});

test('a file that is there again after its end was told is told anew', async () => {
  const ports = { instructions: source(files), blobs: blobs() };
  const first = await ask(projectInstructions, { ports });
  const end = { since: async () => [{ path: '/p/CLAUDE.md', change: 'deleted' as const, hunks: [], view: null }] };
  const gone = await ask(changedFiles, { records: first.records, ports: { changes: end, blobs: blobs() } });
  const back = await ask(projectInstructions, { records: [...first.records, ...gone.records], ports });
  expect(back.text).toMatch(
    /^Instruction files that apply from now on.*\n\nFrom \/p\/CLAUDE\.md \(project\):\nUse tabs\.\nRun the tests\.$/,
  );
  expect((await ask(projectInstructions, { records: [...first.records, ...gone.records, ...back.records], ports })).type).toBe('nothing');
});

test('a file of which too much changed to be shown is told anew, unless the model reads it', async () => {
  const ports = { instructions: source(files), blobs: blobs() };
  const first = await ask(projectInstructions, { ports });
  const stale = view('/p/CLAUDE.md', { form: 'instructions', digest: 'new', lines: [] });
  const much = { since: async () => [{ path: stale.path, change: 'edited' as const, hunks: [], view: stale, note: 'too much' }] };
  const changed = await ask(changedFiles, { records: first.records, ports: { changes: much, blobs: blobs() } });
  const records = [...first.records, ...changed.records];
  expect((await ask(projectInstructions, { records, ports })).text).toContain('From /p/CLAUDE.md (project):\nUse tabs.');
  const read = result('c1', '…', [{ type: 'viewed', view: view('/p/CLAUDE.md', { digest: 'new' }) }]);
  expect((await ask(projectInstructions, { records: [...records, read], ports })).type).toBe('nothing');
});

test('when room is short the nearest file stays whole', async () => {
  const far = instructions('/CLAUDE.md', 'far\n'.repeat(200));
  const told = await ask(projectInstructions, { ports: { instructions: source([far, ...files.slice(2)]), blobs: blobs() }, tokens: 150 });
  expect(told.text).toContain('Run the tests.');
  expect(told.text).toMatch(/\[\d+ more lines left out for want of room; the file has 201\]/);
  expect(told.cut).toMatch(/^\d+ of 201 lines of \/CLAUDE\.md are left out$/);
  expect(told.text.length).toBeLessThanOrEqual(450);
});

test('a file that was cut when read says so', async () => {
  const cut = instructions('/p/CLAUDE.md', 'start', { status: 'cut', reason: 'the first 4 MiB of 5 MiB' });
  expect((await ask(projectInstructions, { ports: { instructions: source([cut]), blobs: blobs() } })).text).toContain(
    'start\n[the first 4 MiB of 5 MiB]',
  );
});

test('however many files, the record stays small and each is told once', async () => {
  const many = Array.from({ length: 300 }, (_, n) =>
    instructions(`/p/${'deep/'.repeat(20)}${n}.md`, `rule ${n}`, n % 2 === 0 ? {} : { scope: 'rules' }),
  );
  const ports = { instructions: source(many), blobs: blobs() };
  const first = await ask(projectInstructions, { ports });
  expect(JSON.stringify(first.record?.data).length).toBeLessThanOrEqual(4096);
  expect((await ask(projectInstructions, { records: first.records, ports })).type).toBe('nothing');
});

test('unavailable instructions are not none', async () => {
  const unavailable = { read: () => ({ type: 'unavailable' as const, why: 'the disk does not answer' }) };
  expect((await ask(projectInstructions, { ports: { instructions: unavailable, blobs: blobs() } })).type).toBe('unavailable');
});

test('what a person should know of files comes beside what is told, and alone where nothing is told', async () => {
  const gone = instructions('/p/gone.md', '', { status: 'missing', warning: '/p/gone.md is not told: no such file' });
  const ports = { instructions: source([...files, gone]), blobs: blobs() };
  const first = await ask(projectInstructions, { ports });
  expect(first.text).not.toContain('gone.md');
  expect(first.notes).toEqual([gone.warning]);
  expect(await ask(projectInstructions, { records: first.records, ports })).toMatchObject({ type: 'nothing', notes: [gone.warning] });
  const many = Array.from({ length: 60 }, (_, n) => instructions(`/p/${n}.md`, '', { status: 'missing', warning: `${n}` }));
  const crowded = await ask(projectInstructions, { ports: { instructions: source(many), blobs: blobs() } });
  expect([crowded.notes.length, crowded.notes.at(-1)]).toEqual([51, '10 more instruction files have something to say']);
});

test('what is remembered is told in the main thread alone, and not to the model that has just written it', async () => {
  const index = instructions('/m/MEMORY.md', 'Index.', { scope: 'memory', mainOnly: true });
  const ports = { instructions: source([...files, index]), blobs: blobs() };
  expect((await ask(projectInstructions, { ports })).text).toContain('Index.');
  expect((await ask(projectInstructions, { ports, moment: moment({ isMain: false }) })).text).not.toContain('Index.');
  const made = result('c1', 'Created', [{ type: 'wrote', view: view('/m/MEMORY.md'), before: null }]);
  expect((await ask(projectInstructions, { records: [made], ports })).text).not.toContain('Index.');
});

test('a file that is told in part is watched as a whole', async () => {
  const kept = blobs();
  const part = instructions('/m/MEMORY.md', 'one', { status: 'cut', reason: 'the first 1 of 2 lines', whole: 'one\ntwo\n' });
  await ask(projectInstructions, { ports: { instructions: source([part]), blobs: kept } });
  expect(kept.texts).toEqual(['one\ntwo\n']);
});
