import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionBusyError, SessionNotFoundError, StoreReadOnlyError } from '@sidenote/engine';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findSession, jsonlStore, newestSession, sessionFile } from './jsonl-store.js';
import { projectFolder } from './project-folder.js';

let root: string;
let at: { cwd: string; configDir: string };
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'store-')));
  at = { cwd: join(root, 'work'), configDir: join(root, 'config') };
  mkdirSync(at.cwd);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const write = async (session: string, ...lines: string[]) => {
  const open = await jsonlStore(at).open(session, { write: true });
  if (lines.length > 0) await open.append(session, lines, 'process');
  await open.close();
};
const read = async (session: string, thread = session) => all((await jsonlStore(at).open(session, { write: false })).lines(thread));

describe('lines', () => {
  test('come back as they were appended, whatever is in them', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n') && text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), fc.uuid(), async (batches, session) => {
        const open = await jsonlStore(at).open(session, { write: true });
        await Promise.all(batches.map((batch) => open.append(session, batch, 'process')));
        expect(await all(open.lines(session))).toEqual(batches.flat());
        await open.close();
        expect(await read(session)).toEqual(batches.flat());
      }),
      { numRuns: 40 },
    );
  });

  test('of the main thread go by its session or by `main`, those of others into a folder of the session', async () => {
    const open = await jsonlStore(at).open('s1', { write: true });
    await open.append('main', ['{"a":1}'], 'power');
    await open.append('t2', ['{"b":2}'], 'power');
    await open.close();
    expect(await read('s1', 'main')).toEqual(['{"a":1}']);
    expect(await read('s1', 's1')).toEqual(['{"a":1}']);
    expect(await read('s1', 't2')).toEqual(['{"b":2}']);
    expect(readFileSync(join(projectFolder(at), 's1', 'subagents', 'agent-t2.jsonl'), 'utf8')).toBe('{"b":2}\n');
    expect(statSync(sessionFile({ ...at, session: 's1' })).mode & 0o777).toBe(0o600);
    expect(statSync(projectFolder(at)).mode & 0o777).toBe(0o700);
  });

  test('that are damaged come as they are and hide nothing', async () => {
    await write('s1', 'one', 'two');
    const file = sessionFile({ ...at, session: 's1' });
    appendFileSync(file, Buffer.concat([Buffer.alloc(400), Buffer.from('\n\n\r\nthree\n{"torn":"'), Buffer.from([0xf0, 0x9f, 0xa7])]));
    await write('s1', 'four');
    expect(await read('s1')).toEqual(['one', 'two', '\0'.repeat(400), '\r', 'three', '{"torn":"\ufffd', 'four']);
    expect(readFileSync(file, 'utf8').endsWith('four\n')).toBe(true);
  });

  test('of 20 MB each are read one at a time', async () => {
    const big = `{"text":"${'🧊x'.repeat(4_000_000)}"}`;
    await write('s1', 'first', big, big, 'last');
    expect((await read('s1')).map((line) => line.length)).toEqual([5, big.length, big.length, 4]);
  });

  test('of a deleted file don’t vanish into it', async () => {
    const open = await jsonlStore(at).open('s1', { write: true });
    await open.append('s1', ['one'], 'power');
    rmSync(sessionFile({ ...at, session: 's1' }));
    await open.append('s1', ['two'], 'power');
    await open.close();
    expect(await read('s1')).toEqual(['two']);
  });
});

describe('a session', () => {
  test('that stores nothing leaves nothing behind', async () => {
    await write('s1');
    expect(existsSync(at.configDir)).toBe(false);
    await write('s1', 'one');
    await write('s2');
    expect(readdirSync(projectFolder(at))).toEqual(['s1.jsonl']);
  });

  test('has one writer, and any number of readers', async () => {
    const open = await jsonlStore(at).open('s1', { write: true });
    const error = await jsonlStore(at)
      .open('s1', { write: true })
      .catch((error: unknown) => error);
    expect(SessionBusyError.isInstance(error) && error.owner.pid).toBe(process.pid);
    await open.append('s1', ['one'], 'process');
    expect(await read('s1')).toEqual(['one']);
    await (await jsonlStore(at).open('s2', { write: true })).close();
    await open.close();
    await open.close();
    await write('s1', 'two');
    expect(await read('s1')).toEqual(['one', 'two']);
  });

  test('opened for reading is not written to, and keeps what it puts in memory', async () => {
    const open = await jsonlStore(at).open('s1', { write: false });
    await expect(open.append('s1', ['one'], 'process')).rejects.toSatisfy(StoreReadOnlyError.isInstance);
    const digest = await open.blobs.put('seen');
    expect(await open.blobs.get(digest)).toBe('seen');
    expect(await all(open.lines('s1'))).toEqual([]);
    await open.close();
    expect(existsSync(at.configDir)).toBe(false);
  });

  test('is not appended to after it was closed', async () => {
    const open = await jsonlStore(at).open('s1', { write: true });
    await open.close();
    await expect(open.append('s1', ['one'], 'process')).rejects.toSatisfy(StoreReadOnlyError.isInstance);
  });

  test.each(['../../etc/passwd', '', '.hidden', 'a/b', 'a\0b', 'x'.repeat(300)])(
    'named %j is not found, for ids become file names',
    async (id) => {
      await expect(jsonlStore(at).open(id, { write: false })).rejects.toSatisfy(SessionNotFoundError.isInstance);
      const open = await jsonlStore(at).open('s1', { write: true });
      await expect(open.append(id, ['one'], 'process')).rejects.toSatisfy(SessionNotFoundError.isInstance);
      await open.close();
    },
  );
});

describe('the list', () => {
  test('holds no sessions of another directory whose project has the same name, but those of one that was moved here', async () => {
    const [one, other] = [join(root, 'a-b'), join(root, 'a', 'b')];
    for (const cwd of [one, other]) mkdirSync(cwd, { recursive: true });
    const store = (cwd: string) => jsonlStore({ ...at, cwd });
    const open = await store(one).open('mine', { write: true });
    await open.append('mine', [JSON.stringify({ type: 'x', cwd: one }), '{"type":"y"}'], 'process');
    await open.close();
    expect(projectFolder({ ...at, cwd: one })).toBe(projectFolder({ ...at, cwd: other }));
    expect(await newestSession(store(one))).toBe('mine');
    expect(await newestSession(store(other))).toBeNull();
    rmSync(one, { recursive: true });
    expect(await newestSession(store(other))).toBe('mine');
  });

  test('goes by the newest line that names a directory, however long those behind it are', async () => {
    const [one, other] = [join(root, 'a-b'), join(root, 'a', 'b')];
    for (const cwd of [one, other]) mkdirSync(cwd, { recursive: true });
    const store = (cwd: string) => jsonlStore({ ...at, cwd });
    const open = await store(one).open('mine', { write: true });
    await open.append(
      'mine',
      [JSON.stringify({ type: 'x', cwd: one }), JSON.stringify({ type: 'y', text: 'y'.repeat(200_000) })],
      'process',
    );
    expect([await newestSession(store(one)), await newestSession(store(other))]).toEqual(['mine', null]);
    await open.append('mine', [JSON.stringify({ type: 'x', cwd: one }), JSON.stringify({ type: 'x', cwd: other })], 'process');
    expect([await newestSession(store(one)), await newestSession(store(other))]).toEqual([null, 'mine']);
    await open.close();
  });

  const listed = async () => (await all(jsonlStore(at).list())).map(({ session }) => session);

  test('is empty for a folder nobody worked in', async () => {
    expect(await listed()).toEqual([]);
    expect(await newestSession(jsonlStore(at))).toBe(null);
    expect(await findSession({ store: jsonlStore(at), name: 'a' })).toEqual({ type: 'missing' });
  });

  test('is newest first, and finds a session by the start of its id', async () => {
    for (const [session, seconds] of [
      ['aa-1', 100],
      ['ab-2', 300],
      ['ab', 200],
    ] as const) {
      await write(session, 'one');
      utimesSync(sessionFile({ ...at, session }), seconds, seconds);
    }
    writeFileSync(join(projectFolder(at), 'empty.jsonl'), '');
    mkdirSync(join(projectFolder(at), 'folder.jsonl'));
    const store = jsonlStore(at);
    expect(await all(store.list())).toEqual([
      { session: 'ab-2', changedAt: 300_000 },
      { session: 'ab', changedAt: 200_000 },
      { session: 'aa-1', changedAt: 100_000 },
    ]);
    expect(await newestSession(store)).toBe('ab-2');
    expect(await findSession({ store, name: 'ab' })).toEqual({ type: 'found', session: 'ab' });
    expect(await findSession({ store, name: 'aa' })).toEqual({ type: 'found', session: 'aa-1' });
    expect(await findSession({ store, name: 'a' })).toEqual({ type: 'ambiguous', sessions: ['ab-2', 'ab', 'aa-1'] });
  });

  test('is that of one working directory, by whichever link it is reached', async () => {
    await write('s1', 'one');
    expect(await listed()).toEqual(['s1']);
    expect(await all(jsonlStore({ ...at, cwd: root }).list())).toEqual([]);
    expect(await newestSession(jsonlStore({ ...at, cwd: join(at.cwd, '..', 'work', '.') }))).toBe('s1');
  });
});
