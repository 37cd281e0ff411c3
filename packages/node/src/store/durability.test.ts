import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreFullError, StoreReadOnlyError } from '@sidenote/engine';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonlStore, sessionFile } from './jsonl-store.js';
import { buildStoreChild, startStoreChild } from './start-child.testing.js';
import { lineOf } from './store-line.js';

let root: string;
let program: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'durability-'));
  program = await buildStoreChild(join(root, 'program'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const isWhole = (line: string) => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

test('what was acknowledged outlives a kill at any byte, and what is appended later is readable', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(200), fc.nat(70_000), fc.nat(3_000_000)), { minLength: 1, maxLength: 5 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 12 }), async (sizes, enough) => {
      const at = { cwd: root, configDir: join(root, `kill-${++run}`) };
      const child = startStoreChild(program);
      child.send({ type: 'open', ...at, session: 's1' });
      expect(await child.next()).toEqual({ type: 'opened' });
      child.send({ type: 'write', sizes });
      let stored = -1;
      while (stored + 1 < enough) {
        const report = await child.next();
        if (report.type === 'stored') stored = report.number;
      }
      await child.kill();

      const open = await jsonlStore(at).open('s1', { write: true });
      await open.append('s1', ['"after"'], 'power');
      const lines = await all(open.lines('s1'));
      await open.close();
      const whole = lines.filter(isWhole);
      expect(lines.length - whole.length).toBeLessThanOrEqual(1);
      expect(whole.at(-1)).toBe('"after"');
      expect(whole.length - 1).toBeGreaterThan(stored);
      expect(whole.slice(0, -1)).toEqual(whole.slice(0, -1).map((_, number) => lineOf(number, sizes[number % sizes.length] ?? 1)));
    }),
    { numRuns: 12 },
  );
}, 60_000);

function mounted(size: string): string | undefined {
  const folder = mkdtempSync(join(root, 'mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}

describe('a full disk', () => {
  test('refuses the append as a whole, and takes a smaller one', async (context) => {
    const folder = mounted('64k');
    if (folder === undefined) return context.skip('mounting is not permitted here');
    try {
      const at = { cwd: root, configDir: join(folder, 'config') };
      const open = await jsonlStore(at).open('s1', { write: true });
      await open.append('s1', ['"first"'], 'power');
      for (const survive of ['power', 'process'] as const) {
        await expect(open.append('s1', ['"small"', JSON.stringify('x'.repeat(90_000))], survive)).rejects.toSatisfy(
          StoreFullError.isInstance,
        );
        expect(readFileSync(sessionFile({ ...at, session: 's1' }), 'utf8')).toBe('"first"\n');
      }
      await expect(open.blobs.put('y'.repeat(90_000))).rejects.toSatisfy(StoreFullError.isInstance);
      await open.append('s1', ['"second"'], 'power');
      expect(await all(open.lines('s1'))).toEqual(['"first"', '"second"']);

      writeFileSync(join(folder, 'filler'), Buffer.alloc(1));
      expect(() => writeFileSync(join(folder, 'filler'), Buffer.alloc(90_000))).toThrow('ENOSPC');
      await expect(jsonlStore(at).open('s2', { write: true })).rejects.toSatisfy(StoreFullError.isInstance);
      expect(await all((await jsonlStore(at).open('s1', { write: false })).lines('s1'))).toEqual(['"first"', '"second"']);
      await open.close();
    } finally {
      execFileSync('umount', [folder]);
    }
  });
});

describe('a disk that can’t be written to', () => {
  test('says so, and can still be read', async (context) => {
    const folder = mounted('1m');
    if (folder === undefined) return context.skip('mounting is not permitted here');
    try {
      const at = { cwd: root, configDir: join(folder, 'config') };
      const open = await jsonlStore(at).open('s1', { write: true });
      await open.append('s1', ['"first"'], 'power');
      await open.close();
      execFileSync('mount', ['-o', 'remount,ro', folder]);
      const error = await jsonlStore(at)
        .open('s1', { write: true })
        .catch((error: unknown) => error);
      expect(StoreReadOnlyError.isInstance(error) && error.why).toBe('EROFS');
      expect(await all((await jsonlStore(at).open('s1', { write: false })).lines('s1'))).toEqual(['"first"']);
    } finally {
      execFileSync('umount', [folder]);
    }
  });

  test('or a folder that is a file', async () => {
    writeFileSync(join(root, 'file'), '');
    const at = { cwd: root, configDir: join(root, 'file') };
    await expect(jsonlStore(at).open('s1', { write: true })).rejects.toSatisfy(StoreReadOnlyError.isInstance);
    expect(await all(jsonlStore(at).list())).toEqual([]);
  });

  test('or a session file that is a folder: the append is refused, the session stays usable', async () => {
    const at = { cwd: root, configDir: join(root, 'blocked') };
    mkdirSync(sessionFile({ ...at, session: 's1' }), { recursive: true });
    const open = await jsonlStore(at).open('s1', { write: true });
    await expect(open.append('s1', ['"one"'], 'power')).rejects.toSatisfy(StoreReadOnlyError.isInstance);
    await open.append('t2', ['"two"'], 'power');
    await open.close();
    expect(existsSync(join(sessionFile({ ...at, session: 's1' }), '..', 's1', 'subagents', 'agent-t2.jsonl'))).toBe(true);
  });
});
