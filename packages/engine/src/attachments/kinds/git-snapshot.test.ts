import { expect, test } from 'vitest';
import { gitSnapshot } from './git-snapshot.js';
import { ask, source } from './kind.testing.js';

const git = source({ text: 'Taken 2031-03-01 10:00.\nBranch: feat\nMain branch: trunk\n M src/a.ts\n' });

test('the snapshot, once per window', async () => {
  const first = await ask(gitSnapshot, { ports: { git } });
  expect(first.text).toMatchInlineSnapshot(`
    "State of the git repository at this point; it is not updated later:

    Taken 2031-03-01 10:00.
    Branch: feat
    Main branch: trunk
     M src/a.ts"
  `);
  expect((await ask(gitSnapshot, { records: first.records, ports: { git } })).type).toBe('nothing');
});

test('a long one is cut at a line, and says so', async () => {
  const long = source({ text: Array.from({ length: 400 }, (_, line) => ` M src/file-${line}.ts`).join('\n') });
  const told = await ask(gitSnapshot, { ports: { git: long }, tokens: 100 });
  expect(told.text.length).toBeLessThanOrEqual(300);
  expect(told.text).toMatch(/\n M src\/file-\d+\.ts\n\[\d+ more lines left out for want of room; git status and git log have the rest\]$/);
  expect(told.cut).toMatch(/^\d+ lines of the git snapshot$/);
});

test('no repository says nothing; an unavailable one is not none', async () => {
  expect((await ask(gitSnapshot, { ports: { git: source({ text: '' }) } })).type).toBe('nothing');
  const unavailable = { read: () => ({ type: 'unavailable' as const, why: 'git did not answer' }) };
  expect(await ask(gitSnapshot, { ports: { git: unavailable } })).toMatchObject({ type: 'unavailable', why: 'git did not answer' });
});
