import { expect, test } from 'vitest';
import { testDigest } from '../testing/index.js';
import { MemoryStore } from './memory-store.js';

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test('lines come back in their order, per thread, and only sessions that hold some are listed', async () => {
  const store = new MemoryStore({ digest: testDigest });
  const open = await store.open('s', { write: true });
  await open.append('s', ['one', 'two'], 'power');
  await open.append('child', ['three'], 'process');
  expect(await all(open.lines('s'))).toEqual(['one', 'two']);
  expect(await all(open.lines('child'))).toEqual(['three']);
  expect(await all((await store.open('other', { write: false })).lines('other'))).toEqual([]);
  expect(await all(store.list())).toEqual([{ session: 's', changedAt: 0 }]);
});

test('a session has one writer; closing a reader lets no second one in', async () => {
  const store = new MemoryStore({ digest: testDigest });
  const writer = await store.open('s', { write: true });
  const reader = await store.open('s', { write: false });
  await reader.close();
  await expect(store.open('s', { write: true })).rejects.toMatchObject({ name: 'SessionBusyError' });
  await writer.close();
  await (await store.open('s', { write: true })).close();
});

test('texts are kept by their digest', async () => {
  const { blobs } = await new MemoryStore({ digest: testDigest }).open('s', { write: false });
  const digest = await blobs.put('a text');
  expect(digest).toBe(testDigest('a text'));
  expect(await blobs.get(digest)).toBe('a text');
  expect(await blobs.get('none')).toBeNull();
});
