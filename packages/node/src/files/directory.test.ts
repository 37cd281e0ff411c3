import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listDirectory, listingText } from './index.js';

it('lists a folder in order, within a cap, one name a line', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sidenote-list-'));
  await Promise.all(['b', 'a', 'two\nlines'].map((name) => writeFile(join(dir, name), '')));
  await mkdir(join(dir, 'c'));
  expect(await listDirectory(dir)).toEqual({ type: 'listed', entries: ['"two\\nlines"', 'a', 'b', 'c/'], more: 0 });
  const capped = await listDirectory(dir, { max: 1 });
  expect(capped).toMatchObject({ entries: ['"two\\nlines"'], more: 3 });
  if (capped.type === 'listed') expect(listingText(capped)).toBe('"two\\nlines"\n… 3 more entries');
  expect(await listDirectory(join(dir, 'none'))).toEqual({ type: 'unreadable', why: 'ENOENT' });
  await rm(dir, { recursive: true });
});
