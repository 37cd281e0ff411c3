import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decode, encode } from './encoding.js';
import { readTextFile } from './index.js';

let dir: string;
beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-read-')));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, content);
  return path;
}

describe('readTextFile', () => {
  it('gives the characters of a file and what is needed to write it back', async () => {
    const path = await put('a.txt', '\ufeffone\r\ntwo\r\n');
    expect(await readTextFile(path)).toMatchObject({
      type: 'text',
      path,
      text: 'one\r\ntwo\r\n',
      eol: '\r\n',
      bom: true,
      encoding: 'utf-8',
    });
    expect(await readTextFile(await put('m.txt', 'a\r\nb\n'))).toMatchObject({ eol: 'mixed' });
    expect(await readTextFile(await put('empty.txt', ''))).toMatchObject({ type: 'text', text: '', eol: '\n' });
  });

  it('reads undecodable bytes as latin1, and UTF-16 by its mark', async () => {
    expect(await readTextFile(await put('l.txt', Buffer.from('caf\xe9\n', 'latin1')))).toMatchObject({
      text: 'café\n',
      encoding: 'latin1',
    });
    const wide = Buffer.from('\ufeffhé😀', 'utf16le');
    expect(await readTextFile(await put('le.txt', wide))).toMatchObject({ text: 'hé😀', encoding: 'utf-16le', bom: true });
    expect(await readTextFile(await put('be.txt', Buffer.from(wide).swap16()))).toMatchObject({ text: 'hé😀', encoding: 'utf-16be' });
  });

  it('tells images, documents and binaries by their bytes', async () => {
    expect(await readTextFile(await put('p.txt', Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')))).toMatchObject({
      type: 'image',
      mediaType: 'image/png',
    });
    expect(await readTextFile(await put('d.bin', '%PDF-1.7 …'))).toMatchObject({ type: 'pdf' });
    expect(await readTextFile(await put('locked.pdf', '%PDF-1.7\ntrailer<</Root 1 0 R/Encrypt 9 0 R>>'))).toMatchObject({
      type: 'encrypted',
    });
    expect(await readTextFile(await put('about.pdf', '%PDF-1.7\n(the key /Encrypt names it)'))).toMatchObject({ type: 'pdf' });
    expect(await readTextFile(await put('z.md', Buffer.from([80, 75, 3, 4, 0, 129])))).toMatchObject({ type: 'binary' });
    expect(await readTextFile(await put('c.md', Buffer.from([1, 2, 0x81, 0x90])))).toMatchObject({ type: 'binary' });
  });

  it('answers for what is no file', async () => {
    expect(await readTextFile(join(dir, 'nothing'))).toEqual({ type: 'missing' });
    expect(await readTextFile(join(await put('f', 'x'), 'below'))).toEqual({ type: 'missing' });
    expect(await readTextFile(dir)).toEqual({ type: 'directory', path: dir });
    await symlink('loop', join(dir, 'loop'));
    expect(await readTextFile(join(dir, 'loop'))).toEqual({ type: 'unreadable', why: 'ELOOP' });
  });

  it('never opens a pipe, a socket or a device', async () => {
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    expect(await readTextFile(join(dir, 'pipe'))).toMatchObject({ type: 'special', kind: 'fifo' });
    expect(await readTextFile('/dev/zero')).toMatchObject({ type: 'special', kind: 'device' });
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(dir, 'sock'), done));
    expect(await readTextFile(join(dir, 'sock'))).toMatchObject({ type: 'special', kind: 'socket' });
    await new Promise((done) => server.close(done));
  });

  it('bounds what it reads, also where the size is said to be 0', async () => {
    expect(await readTextFile(await put('big', 'x'.repeat(101)), { maxBytes: 100 })).toMatchObject({ type: 'too-large', size: 101 });
    expect(await readTextFile(await put('fits', 'x'.repeat(100)), { maxBytes: 100 })).toMatchObject({ type: 'text' });
    if (process.platform === 'linux') {
      expect(await readTextFile('/proc/self/status')).toMatchObject({ type: 'text', text: expect.stringContaining('Pid:') });
      expect(await readTextFile('/proc/self/status', { maxBytes: 50 })).toMatchObject({ type: 'too-large' });
    }
  });

  it('says why a file is unreadable', async () => {
    const closed = join(dir, 'closed');
    await mkdir(closed);
    await writeFile(join(closed, 'x'), 'x');
    await chmod(closed, 0o000);
    const reading = await readTextFile(join(closed, 'x'));
    await chmod(closed, 0o700);
    // The superuser may read it.
    expect(reading.type === 'text' || (reading.type === 'unreadable' && reading.why === 'EACCES')).toBe(true);
  });
});

describe('decode', () => {
  it('never loses a byte of what it takes for text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const decoded = decode(bytes);
        if (decoded !== undefined) expect(encode(decoded.text, decoded)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives back every text in every encoding that can say it', () => {
    const encodings = fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const);
    const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && !text.startsWith('\ufeff'));
    fc.assert(
      fc.property(texts, encodings, (text, encoding) => {
        const like = { bom: encoding !== 'utf-8', encoding };
        const bytes = encode(text, like);
        expect(bytes && decode(bytes)).toEqual({ text, ...like });
      }),
    );
  });
});
