import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonlStore, sessionFile } from './jsonl-store.js';
import { projectFolder } from './project-folder.js';
import { pruneSessions } from './prune-sessions.js';

const OLD = 1_000_000_000_000;
let root: string;
let at: { cwd: string; configDir: string };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'prune-')));
  at = { cwd: join(root, 'work'), configDir: join(root, 'config') };
  mkdirSync(at.cwd);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function store(session: string, changedAt?: number): Promise<void> {
  const open = await jsonlStore(at).open(session, { write: true });
  await open.append(session, ['{"type":"x"}'], 'process');
  await open.append('side', ['{"type":"x"}'], 'process');
  await open.blobs.put('text of a file');
  await open.close();
  if (changedAt !== undefined) utimesSync(sessionFile({ ...at, session }), changedAt / 1000, changedAt / 1000);
}

test('removes old sessions with their side files, and leaves what is newer, what they share, and memories', async () => {
  await store('old', OLD);
  await store('new');
  const folder = projectFolder(at);
  mkdirSync(join(folder, 'memory'));
  writeFileSync(join(folder, 'memory', 'MEMORY.md'), '- kept\n');
  expect(await pruneSessions({ ...at, before: OLD })).toEqual([]);
  expect(await pruneSessions({ ...at, before: OLD + 1 })).toEqual(['old']);
  expect(readdirSync(folder).toSorted()).toEqual(['blobs', 'memory', 'new', 'new.jsonl']);
  expect(await pruneSessions({ ...at, before: Number.MAX_SAFE_INTEGER })).toEqual(['new']);
  expect(readdirSync(folder)).toEqual(['memory']);
});

test('leaves the one that was just used, however old it is', async () => {
  await store('used', OLD);
  await store('old', OLD);
  expect(await pruneSessions({ ...at, before: OLD + 1, except: 'used' })).toEqual(['old']);
});

test('leaves a session that is open, and does nothing where there are none', async () => {
  expect(await pruneSessions({ ...at, before: Number.MAX_SAFE_INTEGER })).toEqual([]);
  await store('open', OLD);
  const open = await jsonlStore(at).open('open', { write: true });
  expect(await pruneSessions({ ...at, before: OLD + 1 })).toEqual([]);
  await open.close();
  expect(existsSync(sessionFile({ ...at, session: 'open' }))).toBe(true);
});

test('leaves a session that was written after it was listed', async () => {
  await store('first', OLD + 1);
  await store('second', OLD);
  const pruning = pruneSessions({ ...at, before: OLD + 2 });
  const isAtFirst = (): boolean => readdirSync(projectFolder(at)).some((name) => name.startsWith('first.lock'));
  while (!isAtFirst()) await setImmediate();
  utimesSync(sessionFile({ ...at, session: 'second' }), OLD, OLD);
  expect(await pruning).toEqual(['first']);
  expect(existsSync(sessionFile({ ...at, session: 'second' }))).toBe(true);
});

test('keeps the texts of a session that has written no line yet', async () => {
  await store('old', OLD);
  const begun = await jsonlStore(at).open('begun', { write: true });
  const digest = await begun.blobs.put('text of another file');
  expect(await pruneSessions({ ...at, before: OLD + 1 })).toEqual(['old']);
  expect(await begun.blobs.get(digest)).toBe('text of another file');
  await begun.close();
});
