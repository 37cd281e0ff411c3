import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Blobs, MentionReading } from '@sidenote/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, fileMentions } from './index.js';

let cwd: string;
let home: string;
let texts: Map<string, string>;
let blobs: Blobs;
beforeEach(async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-mentions-')));
  [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([cwd, home].map((path) => mkdir(path)));
  texts = new Map();
  blobs = {
    put: (text) => Promise.resolve(texts.set(digestOf(text), text) && digestOf(text)),
    get: (digest) => Promise.resolve(texts.get(digest) ?? null),
  };
});
afterEach(() => rm(dirname(cwd), { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(cwd, name), content);
const rows = (count: number): string => Array.from({ length: count }, (_, i) => `ROW-${i} filler filler filler filler\n`).join('');

async function told(prompt: string, deny?: (path: string) => string | null): Promise<MentionReading[]> {
  const mentions = fileMentions({ cwd, home, ...(deny ? { deny } : {}) });
  return Promise.all(mentions.find(prompt).map((mention) => mentions.read(mention, blobs, new AbortController().signal)));
}

describe('a mentioned file', () => {
  it('comes numbered and whole, is kept for later diffs and counts as seen', async () => {
    await put('a b.md', 'one\r\ntwo\n');
    const [reading] = await told('see @"a b.md" please');
    expect(reading).toMatchObject({ type: 'file', path: join(cwd, 'a b.md'), text: '1\tone\n2\ttwo' });
    expect(reading).not.toHaveProperty('note');
    if (reading?.type !== 'file') return;
    expect(reading.view).toMatchObject({ lines: 'all', form: 'raw', size: 9 });
    expect(texts.get(reading.view.digest)).toBe('one\r\ntwo\n');
  });

  it('is cut at its head when it is large, with a way to read on; a range is counted before the cap', async () => {
    await put('big.txt', rows(90_000));
    const [whole, range] = await told('see @big.txt and @big.txt#L10-20');
    if (whole?.type !== 'file' || range?.type !== 'file') throw new Error('no file');
    expect(whole.text.length).toBeLessThanOrEqual(50_000);
    const last = whole.text.split('\n').length;
    expect(whole.note).toBe(`lines 1-${last} of 90000; read on with Read, offset ${last + 1}`);
    expect(whole.view.lines).toEqual([[1, last]]);
    expect(range.text.split('\n').map((line) => line.slice(0, 8))).toEqual(
      Array.from({ length: 11 }, (_, i) => `${10 + i}\tROW-${9 + i}`.slice(0, 8)),
    );
    expect(range.view.lines).toEqual([[10, 20]]);
    expect(range).not.toHaveProperty('note');
  });

  it('explains a range past its end, and reads a reversed one', async () => {
    await put('s.txt', rows(30));
    const [past, reversed, over] = await told('@s.txt#L9999 @s.txt#L20-10 @s.txt#L29-40');
    expect(past).toMatchObject({ type: 'unusable', why: 'lines 9999-9999 were asked for, the file has 30' });
    expect(reversed).toMatchObject({ type: 'file', view: { lines: [[10, 20]] } });
    expect(over).toMatchObject({ type: 'file', view: { lines: [[29, 30]] } });
  });

  it('says when a long line was cut', async () => {
    await put('min.js', `${'x'.repeat(3000)}\n`);
    expect(await told('@min.js')).toMatchObject([{ type: 'file', note: 'lines over 2000 characters are cut', view: { lines: [[1, 1]] } }]);
  });

  it('is found in the home, once per prompt, and not in code', async () => {
    await writeFile(join(home, 'h.md'), 'home\n');
    expect(await told('@~/h.md, again @~/h.md, and `@~/h.md`')).toMatchObject([{ path: join(home, 'h.md') }]);
  });
});

describe('other things that are mentioned', () => {
  it('come as media when a model can be shown them', async () => {
    await put('p.png', Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'));
    await put('d.pdf', '%PDF-1.4 …');
    const [image, document] = await told('@p.png @d.pdf');
    expect(image).toMatchObject({ type: 'media', content: { type: 'image', source: { type: 'base64', media_type: 'image/png' } } });
    expect(document).toMatchObject({ type: 'media', content: { type: 'document', source: { media_type: 'application/pdf' } } });
  });

  it('are named, not dumped, when they are unusable', async () => {
    await put('x.zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(4000)]));
    await put('big.gif', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(6 * 1024 * 1024)]));
    await put('fake.pdf', Buffer.from([0, 1, 2]));
    execFileSync('mkfifo', [join(cwd, 'p.pipe')]);
    expect(
      (await told('@x.zip @big.gif @fake.pdf @p.pipe @none.md')).map((one) => ('why' in one ? `${one.type}: ${one.why}` : one.type)),
    ).toEqual([
      'unusable: a binary file of 4 kB',
      'unusable: 6.0 MB, over the limit of 5.0 MB for image/gif',
      'unusable: a binary file of 3 bytes',
      'unusable: a named pipe (fifo), not a regular file',
      'missing: there is no such file',
    ]);
  });

  it('are folders, listed within a cap', async () => {
    await mkdir(join(cwd, 'd'));
    await Promise.all(Array.from({ length: 1005 }, (_, i) => put(`d/entry-${i}`, '')));
    const [listing] = await told('@d/');
    if (listing?.type !== 'directory') throw new Error(listing?.type);
    expect(listing.text.split('\n').length).toBe(1001);
    expect(listing.text).toMatch(/\n… 5 more entries$/);
  });

  it('are refused by rule, also behind a link', async () => {
    await put('.env', 'SECRET=1\n');
    await symlink('.env', join(cwd, 'plain.md'));
    const deny = (path: string): string | null => (path.endsWith('.env') ? 'denied by Read(.env)' : null);
    expect(await told('@.env @plain.md', deny)).toEqual([
      { type: 'refused', path: join(cwd, '.env'), why: 'denied by Read(.env)' },
      { type: 'refused', path: join(cwd, 'plain.md'), why: 'denied by Read(.env)' },
    ]);
  });

  it('are nothing when they are only names', async () => {
    await mkdir(join(cwd, 'test'));
    expect(await told('the @test annotation, @... and the @/ alias')).toEqual([]);
    expect(await told('@alice look at @scope/pkg, @param x, me@corp.example')).toEqual([]);
  });
});
