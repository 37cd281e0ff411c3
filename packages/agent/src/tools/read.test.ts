import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTool } from './read.js';
import { type Bench, openBench, textOf } from './tools.testing.js';

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.close());
const read = (file_path: string, more: object = {}) => bench.use(readTool(bench.environment), { file_path, ...more });
const rows = (count: number): string => Array.from({ length: count }, (_, index) => `row ${index + 1}\n`).join('');
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

describe('a text file', () => {
  it('comes with line numbers, and counts as seen', async () => {
    const path = bench.put('a.txt', 'one\ntwo\n');
    const outcome = await read('a.txt');
    expect(textOf(outcome)).toBe('1\tone\n2\ttwo');
    expect(outcome.effects).toMatchObject([
      { type: 'viewed', view: { path, lines: 'all', form: 'raw' } },
      { type: 'touched', path },
    ]);
    expect([...bench.blobs.texts.values()]).toEqual(['one\ntwo\n']);
  });

  it('shows no carriage returns', async () => {
    bench.put('crlf.txt', 'one\r\ntwo\r\n');
    expect(textOf(await read('crlf.txt'))).toBe('1\tone\n2\ttwo');
  });

  it('says that it is empty', async () => {
    bench.put('e.txt', '');
    expect(textOf(await read('e.txt'))).toBe('(e.txt is empty)');
    bench.put('n.txt', '\n');
    expect(textOf(await read('n.txt')).trim()).not.toBe('');
  });

  it('comes in parts, and says how to read on', async () => {
    bench.put('long.txt', rows(2_100));
    const head = textOf(await read('long.txt'));
    expect(head).toMatch(/2000\trow 2000\n\[lines 1-2000 of 2100; read on with offset 2001\]$/);
    expect(textOf(await read('long.txt', { offset: 2_099, limit: 1 }))).toBe(
      '2099\trow 2099\n[lines 2099-2099 of 2100; read on with offset 2100]',
    );
    expect(textOf(await read('long.txt', { offset: '2100' }))).toBe('2100\trow 2100');
    expect(await read('long.txt', { offset: 2_101 })).toMatchObject({ isError: true });
  });

  it('stays inside its room, also with long lines of wide characters', async () => {
    bench.put('wide.txt', `x${'\u{1F9CA}'.repeat(3_000)}\nshort\n`.repeat(40));
    const text = textOf(await read('wide.txt'));
    expect(text.length).toBeLessThan(52_000);
    expect(text.isWellFormed()).toBe(true);
    expect(text).toContain('read on with offset');
    expect(text).toContain('long lines are cut');
  });
});

describe('a second read', () => {
  it('is a pointer while nothing has changed', async () => {
    bench.put('a.txt', `BODY\n${rows(80)}`);
    await read('a.txt');
    const again = await read('a.txt');
    expect(textOf(again)).toBe('a.txt is unchanged since you last saw it: what you have of it above is current.');
    expect(textOf(await read('a.txt', { offset: 3, limit: 4 }))).toContain('unchanged');
  });

  it('is full after a change, and for lines not seen yet', async () => {
    bench.put('a.txt', rows(10));
    await read('a.txt', { offset: 2, limit: 3 });
    expect(textOf(await read('a.txt', { offset: 3, limit: 2 }))).toContain('unchanged');
    expect(textOf(await read('a.txt', { offset: 3, limit: 3 }))).toContain('5\trow 5');
    expect(textOf(await read('a.txt'))).toContain('10\trow 10');
    bench.put('a.txt', `${rows(10)}NEW\n`);
    expect(textOf(await read('a.txt'))).toMatch(/1\trow 1[^]*11\tNEW/);
  });

  it('is full when only the instruction form was seen', async () => {
    const path = bench.put('CLAUDE.md', 'rule\n');
    await read('CLAUDE.md');
    const view = bench.views.get(path);
    if (view !== undefined) bench.views.set(path, { ...view, form: 'instructions' });
    expect(textOf(await read('CLAUDE.md'))).toBe('1\trule');
  });
});

describe('media', () => {
  it('come as blocks, once', async () => {
    bench.put('dot.bin', png);
    expect((await read('dot.bin')).content).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
    ]);
    expect(textOf(await read('dot.bin'))).toContain('unchanged');
    bench.put('locked.pdf', '%PDF-1.4\n<</Encrypt 4 0 R>>');
    expect(textOf(await read('locked.pdf'))).toBe('locked.pdf is an encrypted PDF.');
    bench.put('a.pdf', '%PDF-1.4\n');
    expect((await read('a.pdf')).content).toMatchObject([{ type: 'document', source: { media_type: 'application/pdf' } }]);
  });

  it('are refused over their limits', async () => {
    bench.put('large.png', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]));
    expect(textOf(await read('large.png'))).toBe('large.png has 5.0 MB, over the limit of 5.0 MB for image/png.');
  });
});

describe('what can not be read', () => {
  it('is named at once', async () => {
    execFileSync('mkfifo', [join(bench.cwd, 'live.pipe')]);
    bench.put('x.bin', Buffer.from([1, 2, 0, 3]));
    bench.put('folder/a.txt', '');
    expect(textOf(await read('live.pipe'))).toContain('named pipe');
    expect(textOf(await read('/dev/zero'))).toContain('device');
    expect(textOf(await read('x.bin'))).toBe('x.bin is a binary file of 4 bytes.');
    expect(textOf(await read('folder'))).toContain('is a folder');
  });

  it('when missing, comes with what may have been meant', async () => {
    bench.put('src/settings.ts', '');
    expect(await read('src/setings.ts')).toMatchObject({ isError: true });
    expect(textOf(await read('src/setings.ts'))).toBe('There is no file src/setings.ts. Did you mean src/settings.ts?');
    expect(textOf(await read('/src/settings.ts'))).toBe('There is no file /src/settings.ts. Did you mean src/settings.ts?');
    expect(textOf(await read('src/no/such/thing.ts'))).toContain('The nearest folder that exists is src.');
    expect(textOf(await read('src/zzzzzzzzzz'))).toBe('There is no file src/zzzzzzzzzz.');
  });
});
