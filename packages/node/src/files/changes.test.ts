import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blobs, FileChange, FileView } from '@sidenote/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, fileChanges, keepText, readTextFile, viewed, viewOf } from './index.js';
import { renderInstructions } from '../instructions/render.js';

let dir: string;
let blobs: Blobs;
let changes: ReturnType<typeof fileChanges>;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-changes-')));
  const texts = new Map<string, string>();
  blobs = {
    put: (text) => Promise.resolve(texts.set(digestOf(text), text) && digestOf(text)),
    get: (digest) => Promise.resolve(texts.get(digest) ?? null),
  };
  changes = fileChanges();
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const rows = (count: number, mark = 'row'): string => Array.from({ length: count }, (_, i) => `${mark} ${i + 1}\n`).join('');

async function put(name: string, text: string | Uint8Array): Promise<string> {
  await writeFile(join(dir, name), text);
  return join(dir, name);
}

async function seen(name: string, text: string, lines: FileView['lines'] = 'all'): Promise<FileView> {
  const effect = await viewed(await put(name, text), blobs, { lines });
  if (effect.type !== 'viewed') throw new Error(effect.type);
  return effect.view;
}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: dir, stdio: 'pipe' });

const since = (...views: FileView[]): Promise<readonly FileChange[]> => changes.since(views, blobs, new AbortController().signal);

/** The one change, and nothing more when it was told. */
async function only(view: FileView): Promise<FileChange> {
  const [change, ...more] = await since(view);
  if (change === undefined || more.length > 0) throw new Error(`${more.length} changes`);
  if (change.view !== null) expect(await since(change.view)).toEqual([]);
  return change;
}

describe('what changed', () => {
  it('is told as a diff against what was seen, once, however many saves it took', async () => {
    const view = await seen('a.ts', 'one\ntwo\nthree\n');
    await put('a.ts', 'one\nTWO\nthree\n');
    await put('a.ts', 'one\n2\nthree\n');
    const change = await only(view);
    expect(change).toMatchObject({ path: join(dir, 'a.ts'), change: 'edited', changedLines: 2 });
    expect(change.hunks).toEqual(['@@ -1,3 +1,3 @@\n one\n-two\n+2\n three']);
    expect(change.view).toMatchObject({ lines: 'all', digest: digestOf('one\n2\nthree\n') });
    if (change.view === null) return;
    await put('a.ts', 'one\n2\n');
    expect((await only(change.view)).hunks).toEqual(['@@ -1,3 +1,2 @@\n one\n 2\n-three']);
  });

  it('is told once of a file that became a link to another one that was seen', async () => {
    const [old, now] = [await seen('CLAUDE.md', 'one\n'), await seen('AGENTS.md', 'one\n')];
    await rm(old.path);
    await symlink('AGENTS.md', old.path);
    await put('AGENTS.md', 'one\ntwo\n');
    expect((await since(old, now)).map(({ path }) => path)).toEqual([now.path]);
  });

  it('is nothing after a touch, a save of the same bytes, or a change that was taken back', async () => {
    const view = await seen('t.txt', 'same\n');
    await utimes(view.path, 1, 1);
    expect(await since(view)).toEqual([]);
    await put('new', 'same\n');
    await rename(join(dir, 'new'), view.path);
    expect(await since(view)).toEqual([]);
    await put('t.txt', 'other\n');
    await put('t.txt', 'same\n');
    expect(await since(view)).toEqual([]);
  });

  it('is found in a file written again within the tick in which it was seen', async () => {
    const view = await seen('r.txt', 'aaaa\n');
    expect(view.racy).toBe(true);
    const { atime, mtime } = await stat(view.path);
    await put('r.txt', 'bbbb\n');
    await utimes(view.path, atime, mtime);
    const now = await stat(view.path, { bigint: true });
    const [change] = await since({ ...view, mtimeNs: String(now.mtimeNs) });
    expect(change?.hunks).toEqual(['@@ -1,1 +1,1 @@\n-aaaa\n+bbbb']);
  });

  it('is not looked for in files whose stat proves them the same', async () => {
    const path = await put('old.txt', 'old\n');
    await utimes(path, 1, 1);
    const reading = await readTextFile(path);
    if (reading.type !== 'text') throw new Error(reading.type);
    const view = viewOf({ ...reading, text: 'something else' });
    expect(view.racy).toBeUndefined();
    expect(await since(view)).toEqual([]);
  });

  it('says new line ends in a line instead of the whole file', async () => {
    const change = await (async () => {
      const view = await seen('e.txt', 'a\r\nb\r\nc\r\n');
      await put('e.txt', 'a\nB\nc\n');
      return only(view);
    })();
    expect(change.hunks).toEqual(['@@ -1,3 +1,3 @@\n a\n-b\n+B\n c']);
    expect(change.note).toBe('its line ends are LF now');
    const bare = await seen('f.txt', 'a\nb\n');
    await put('f.txt', 'a\nb');
    expect(await only(bare)).toMatchObject({ hunks: [], changedLines: 0, note: 'it no longer ends with a line end' });
  });
});

describe('lines that were not seen', () => {
  it('get a line without a hunk, and the seen ones move', async () => {
    const view = await seen('p.txt', rows(100), [[50, 60]]);
    await put('p.txt', `new\n${rows(100)}`);
    expect(await only(view)).toMatchObject({
      hunks: [],
      changedLines: 1,
      note: 'outside the lines you have seen',
      view: { lines: [[51, 61]] },
    });
  });

  it('are counted beside the hunks among the seen ones', async () => {
    const view = await seen('p.txt', rows(100), [[50, 60]]);
    await put('p.txt', `new\n${rows(100).replace('row 55\n', '')}`);
    const change = await only(view);
    expect(change.hunks).toEqual(['@@ -53,5 +54,4 @@\n row 53\n row 54\n-row 55\n row 56\n row 57']);
    expect(change.note).toBe('1 more changed lines are outside the lines you have seen');
    expect(change.view?.lines).toEqual([[51, 60]]);
  });
});

describe('bounds', () => {
  it('give instructions whole when too much of them changed, as long as there is room', async () => {
    const told = async (text: string): Promise<FileView> => {
      const reading = await readTextFile(await put('CLAUDE.md', text));
      if (reading.type !== 'text') throw new Error(reading.type);
      await keepText(reading.text, blobs);
      return viewOf({ ...reading, form: 'instructions' });
    };
    const view = await told(rows(100));
    await put('CLAUDE.md', `${rows(100, 'rule')}<!-- hidden -->\n`);
    const change = await only(view);
    expect(change).toMatchObject({
      hunks: [rows(100, 'rule').trimEnd()],
      note: 'so much that its whole text follows',
      view: { lines: 'all' },
    });
    await put('CLAUDE.md', rows(9000, 'rule'));
    expect(await only(view)).toMatchObject({ hunks: [], view: { lines: [] }, note: expect.stringContaining('too much to show here') });
  });

  it('name a file that changed too much, and ask for a new read', async () => {
    const view = await seen('big.txt', rows(400));
    await put('big.txt', rows(400, '  row'));
    const change = await only(view);
    expect(change).toMatchObject({ hunks: [], changedLines: 800, note: expect.stringContaining('read it again'), view: { lines: [] } });
    await put('big.txt', rows(3));
    expect(change.view && (await since(change.view))).toEqual([]);
  });

  it('hold for all files together', async () => {
    const views = await Promise.all(Array.from({ length: 8 }, (_, i) => seen(`m${i}.txt`, rows(25))));
    await Promise.all(views.map((_, i) => put(`m${i}.txt`, rows(25, 'other'))));
    const told = await since(...views);
    expect(told.map(({ hunks }) => hunks.length)).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
    expect(told.every(({ changedLines }) => changedLines === 50)).toBe(true);
  });

  it('cut long lines on whole characters, and the file does not count as seen', async () => {
    const view = await seen('l.txt', 'a\n');
    await put('l.txt', `${'😀'.repeat(400)}\n`);
    const change = await only(view);
    expect(change.hunks.join('').isWellFormed()).toBe(true);
    expect(change.hunks.join('').length).toBeLessThan(700);
    expect(change).toMatchObject({ note: expect.stringContaining('long lines are cut'), view: { lines: [] } });
  });

  it('keep no text of very long files, and ask to read them again', async () => {
    const view = await seen('huge.txt', rows(40_000));
    expect(await blobs.get(view.digest)).toBeNull();
    await put('huge.txt', `${rows(40_000)}more\n`);
    expect(await only(view)).toMatchObject({ change: 'edited', hunks: [], note: expect.stringContaining('read it again') });
  });

  it('do not lose a file among a thousand that nobody touched', async () => {
    const path = await put('one.txt', 'one\n');
    await utimes(path, 1, 1);
    const reading = await readTextFile(path);
    if (reading.type !== 'text') throw new Error(reading.type);
    const view = await seen('last.txt', 'a\n');
    await put('last.txt', 'b\n');
    expect(await since(...Array.from({ length: 1000 }, () => viewOf(reading)), view)).toMatchObject([{ path: view.path }]);
  });

  it('end with the moment: nothing is looked at once the signal is aborted', async () => {
    const view = await seen('a.txt', 'a\n');
    await put('a.txt', 'b\n');
    expect(await changes.since([view], blobs, AbortSignal.abort())).toEqual([]);
  });
});

describe('files that are gone', () => {
  it('are deleted, or found under their new name', async () => {
    const gone = await seen('gone.txt', 'gone\n');
    const moved = await seen('moved.txt', 'moved here\n');
    const copied = await seen('copied.txt', 'copied there\n', [[1, 1]]);
    await rm(gone.path);
    await rename(moved.path, join(dir, 'new-name.txt'));
    await put('rewritten.txt', 'copied there\n');
    await rm(copied.path);
    const told = await since(gone, moved, copied);
    expect(told).toMatchObject([
      { change: 'deleted', view: null },
      { change: 'renamed', to: join(dir, 'new-name.txt'), view: { path: join(dir, 'new-name.txt'), digest: moved.digest, lines: 'all' } },
      { change: 'renamed', to: join(dir, 'rewritten.txt'), view: { lines: [[1, 1]] } },
    ]);
    expect(await since(...told.flatMap(({ view }) => view ?? []))).toEqual([]);
  });

  it('are not found in a file that was seen as itself, nor in one that took their inode', async () => {
    const one = await seen('one.txt', 'twin\n');
    const two = await seen('two.txt', 'twin\n');
    await rm(one.path);
    await put('other.txt', 'size\n');
    expect(await since(one, two)).toMatchObject([{ path: one.path, change: 'deleted', view: null }]);
  });

  it('are found across folders in a repository, staged or not, also when their folder was renamed', async () => {
    git('init', '-q');
    await writeFile(join(dir, '.gitignore'), 'ignored/\n');
    for (const folder of ['old', 'other', 'ignored']) await mkdir(join(dir, folder));
    const names = ['old/a.txt', 'old/b.txt', 'staged.txt', 'hidden.txt', 'empty.txt', 'gone.txt'];
    const views: FileView[] = [];
    for (const name of names)
      views.push(await seen(name, name === 'empty.txt' ? '' : `text of ${name}\n`, name === 'old/b.txt' ? [[1, 1]] : 'all'));
    git('add', '.');
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'all');
    await rename(join(dir, 'old'), join(dir, 'new [1]'));
    git('mv', 'staged.txt', 'other/staged.txt');
    await rename(join(dir, 'hidden.txt'), join(dir, 'ignored/hidden.txt'));
    for (const name of ['empty.txt', 'gone.txt']) await rm(join(dir, name));
    await put('other/nothing.txt', '');
    const told = await since(...views);
    expect(told.map(({ change, to }) => [change, to])).toEqual([
      ['renamed', join(dir, 'new [1]/a.txt')],
      ['renamed', join(dir, 'new [1]/b.txt')],
      ['renamed', join(dir, 'other/staged.txt')],
      ['deleted', undefined],
      ['deleted', undefined],
      ['deleted', undefined],
    ]);
    expect(told[1]?.view).toMatchObject({ lines: [[1, 1]], digest: views[1]?.digest });
    expect(await since(...told.flatMap(({ view }) => view ?? []))).toEqual([]);
  });

  it('are not told as gone while nobody has time to look where they went', async () => {
    const view = await seen('late.txt', 'x\n');
    await rm(view.path);
    const ending = new AbortController();
    const asked = changes.since([view], blobs, ending.signal);
    ending.abort();
    expect(await asked).toEqual([]);
    expect(await since(view)).toMatchObject([{ change: 'deleted' }]);
  });

  it('may have made place for a folder or a binary', async () => {
    const folder = await seen('x', 'x\n');
    await rm(folder.path);
    await mkdir(folder.path);
    expect(await since(folder)).toMatchObject([{ change: 'deleted', view: null, note: 'a folder has this name now' }]);
    const view = await seen('b', 'b\n');
    await put('b', Buffer.from([0, 1, 2]));
    expect(await only(view)).toMatchObject({ change: 'edited', hunks: [], note: expect.stringContaining('binary') });
  });
});

it('compares instruction files as they were told: a comment is nobody’s news', async () => {
  const path = await put('CLAUDE.md', 'Rule one.\n\n<!-- for people -->\n');
  const reading = await readTextFile(path);
  if (reading.type !== 'text') throw new Error(reading.type);
  const { text } = await renderInstructions(reading.text);
  await keepText(text, blobs);
  const view = viewOf({ ...reading, text, form: 'instructions' });
  await put('CLAUDE.md', 'Rule one.\n\n<!-- for people, SECRET -->\n');
  expect(await since(view)).toEqual([]);
  await put('CLAUDE.md', 'Rule one.\n\n<!-- SECRET -->\n\nRule two.\n');
  expect((await only(view)).hunks).toEqual(['@@ -1,1 +1,3 @@\n Rule one.\n+\n+Rule two.']);
});
