import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeTask } from './describe-task.js';
import { readOutput } from './read-output.js';
import { createTasks, type TaskStatus } from './tasks.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidenote-tasks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (onEnd?: (status: TaskStatus) => void) => {
  const tasks = createTasks({ folder, ...(onEnd === undefined ? {} : { onEnd }) });
  return { tasks, begin: (command: string) => tasks.startBackground({ command, cwd: folder, env: process.env }) };
};
const patience = { timeoutMs: 20_000 };

describe('background tasks', () => {
  it('run, end, and tell it once', async () => {
    const ends: TaskStatus[] = [];
    const { tasks, begin } = start((status) => ends.push(status));
    const { id, state } = begin('echo hello; exit 4');
    expect(state).toBe('running');
    await tasks.wait(id, patience);
    expect(ends).toEqual([tasks.status(id)]);
    expect(tasks.status(id)).toMatchObject({ state: 'failed', exit: 4 });
    expect(describeTask(ends[0] ?? fail())).toBe(`Background command ${id} (echo hello; exit 4) failed with exit code 4`);
  });

  it('give their output since the last read, and keep all of it', async () => {
    const { tasks, begin } = start();
    const go = join(folder, 'go');
    const { id, file } = begin(`echo one; while ! [ -e '${go}' ]; do sleep 0.02; done; echo two`);
    let first = '';
    while (first === '') first = (await tasks.read(id))?.text ?? fail();
    expect(first).toBe('one\n');
    expect(await tasks.read(id)).toMatchObject({ text: '', status: { state: 'running' } });
    writeFileSync(go, '');
    await tasks.wait(id, patience);
    expect(await tasks.read(id)).toMatchObject({ text: 'two\n', skipped: 0, status: { state: 'done', exit: 0 } });
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  });

  it('are stopped, and are all gone after dispose', async () => {
    const ends: TaskStatus[] = [];
    const { tasks, begin } = start((status) => ends.push(status));
    const [one, two] = [begin('sleep 60'), begin('sleep 60')];
    expect(await tasks.stop(one.id)).toMatchObject({ state: 'stopped' });
    await tasks.dispose();
    expect(tasks.list().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
    expect(ends).toEqual([]);
    expect(describeTask(tasks.status(two.id) ?? fail())).toContain('was stopped');
  });

  it('can be waited for only so long', async () => {
    const { tasks, begin } = start();
    const { id } = begin('sleep 60');
    await tasks.wait(id, { timeoutMs: 10 });
    await tasks.wait(id, { timeoutMs: 60_000, signal: AbortSignal.timeout(10) });
    expect(tasks.status(id)).toMatchObject({ state: 'running' });
    await tasks.dispose();
  });

  it('answer undefined for unknown names', async () => {
    const { tasks } = start();
    expect([tasks.status('x'), await tasks.read('x'), await tasks.stop('x')]).toEqual([undefined, undefined, undefined]);
  });

  it('say why they could not start', async () => {
    const { tasks } = start();
    const { id } = tasks.startBackground({ command: 'true', cwd: join(folder, 'missing'), env: {} });
    await tasks.wait(id, patience);
    expect(tasks.status(id)).toMatchObject({ state: 'failed', why: expect.stringContaining('does not exist') as string });
  });
});

describe('readOutput', () => {
  it('gives whole characters, whatever the borders, and loses nothing', async () => {
    const file = join(folder, 'any.log');
    const pieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 9 }), async (texts, size) => {
        const bytes = Buffer.from(texts.join(''));
        writeFileSync(file, '');
        let [from, all] = [0, ''];
        for (let at = 0; at < bytes.length; at += size) {
          appendFileSync(file, bytes.subarray(at, at + size));
          const part = await readOutput(file, { from, maxBytes: 1_000 });
          from = part.next;
          all += part.text;
        }
        expect(all).toBe(bytes.toString());
      }),
      { numRuns: 60 },
    );
  });

  it('skips to the tail and says how much it left out', async () => {
    const file = join(folder, 'long.log');
    writeFileSync(file, '\u{1F9CA}'.repeat(100));
    expect(await readOutput(file, { from: 0, maxBytes: 10 })).toEqual({ text: '\u{1F9CA}\u{1F9CA}', skipped: 392, next: 400 });
  });
});

function fail(): never {
  throw new Error('expected a value');
}
