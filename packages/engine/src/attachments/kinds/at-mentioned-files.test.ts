import { expect, test } from 'vitest';
import type { MentionReading } from '../ports.js';
import { atMentionedFiles } from './at-mentioned-files.js';
import { ask, blobs, moment, result, text, view } from './kind.testing.js';

const readings: Record<string, MentionReading> = {
  'a.ts': { type: 'file', path: '/p/a.ts', text: '1\tone\n2\ttwo', view: view('/p/a.ts') },
  'big.ts': {
    type: 'file',
    path: '/p/big.ts',
    text: '1\tone',
    note: 'lines 1-1 of 9; read on with Read',
    view: view('/p/big.ts', { lines: [[1, 1]] }),
  },
  'empty.ts': { type: 'file', path: '/p/empty.ts', text: '', view: view('/p/empty.ts') },
  lib: { type: 'directory', path: '/p/lib', text: 'a.ts\nb/' },
  'p.png': { type: 'media', path: '/p/p.png', content: { type: 'image', source: { type: 'base64' } }, view: view('/p/p.png') },
  '.env': { type: 'refused', path: '/p/.env', why: 'a permission rule denies it' },
  'no.ts': { type: 'missing', path: '/p/no.ts', why: 'there is no such file' },
};
const mentions = {
  find: (words: string) => [...words.matchAll(/@(\S+)/g)].map((found) => ({ raw: found[0], path: found[1] ?? '' })),
  read: async ({ path }: { readonly path: string }): Promise<MentionReading> =>
    readings[path] ?? { type: 'unusable', path, why: 'a binary file of 3 kB' },
};
const ports = { mentions, blobs: blobs() };
const prompt = (words: string, origin?: 'peer') =>
  moment({ prompts: [{ content: [text(words)], ...(origin === undefined ? {} : { origin }) }] });

test('everything that was named, each by what it is', async () => {
  const told = await ask(atMentionedFiles, { ports, moment: prompt('@a.ts @big.ts @empty.ts @lib @p.png @.env @no.ts @x.zip @a.ts') });
  expect(told.text).toMatchInlineSnapshot(`
    "/p/a.ts, which the user mentioned:
    1	one
    2	two

    /p/big.ts, which the user mentioned (lines 1-1 of 9; read on with Read):
    1	one

    /p/empty.ts, which the user mentioned:
    (an empty file)

    The folder /p/lib, which the user mentioned, holds:
    a.ts
    b/

    /p/p.png, which the user mentioned, follows.

    [image]

    /p/.env, which the user mentioned, is not shown: a permission rule denies it.

    /p/no.ts, which the user mentioned, is not shown: there is no such file.

    x.zip, which the user mentioned, is not shown: a binary file of 3 kB."
  `);
  expect(told.record?.title).toBe(
    'mentioned: /p/a.ts, /p/big.ts, /p/empty.ts and 2 more; ' +
      'not shown: /p/.env (a permission rule denies it), /p/no.ts (there is no such file), x.zip (a binary file of 3 kB)',
  );
  const mistyped = await ask(atMentionedFiles, { ports, moment: prompt('@no.ts') });
  expect(mistyped.record?.title).toBe('mentioned, not shown: /p/no.ts (there is no such file)');
  expect(told.record?.effects.map((effect) => (effect.type === 'viewed' ? effect.view.path : effect))).toEqual([
    '/p/a.ts',
    '/p/big.ts',
    '/p/empty.ts',
    { type: 'touched', path: '/p/lib/' },
    '/p/p.png',
  ]);
});

test('what was named in two ways, or as a part of what else was named, is shown once', async () => {
  const part: MentionReading = { type: 'file', path: '/p/a.ts', text: '2\ttwo', view: view('/p/a.ts', { lines: [[2, 2]] }) };
  const other: MentionReading = { type: 'file', path: '/p/big.ts', text: '7\tseven', view: view('/p/big.ts', { lines: [[7, 7]] }) };
  const all = {
    ...readings,
    './a.ts': readings['a.ts'],
    'a.ts#L2': part,
    'big.ts#L7': other,
    './lib': readings['lib'],
    './no.ts': readings['no.ts'],
  };
  const spelt = { ...mentions, read: async ({ path }: { readonly path: string }) => new Map(Object.entries(all)).get(path) ?? part };
  const told = await ask(atMentionedFiles, {
    ports: { ...ports, mentions: spelt },
    moment: prompt('@a.ts#L2 @./a.ts @a.ts @big.ts @big.ts#L7 @lib @./lib @no.ts @./no.ts'),
  });
  expect(told.record?.title).toBe('mentioned: /p/a.ts, /p/big.ts, /p/big.ts and 1 more; not shown: /p/no.ts (there is no such file)');
  expect(told.text.split('2\ttwo')).toHaveLength(2);
});

test('what was sent and is unchanged is only pointed at', async () => {
  const first = await ask(atMentionedFiles, { ports, moment: prompt('@a.ts') });
  const again = await ask(atMentionedFiles, { records: first.records, ports, moment: prompt('@a.ts') });
  expect(again.text).toMatchInlineSnapshot(`"/p/a.ts, which the user mentioned, is unchanged since you last saw it above."`);
  const partly = result('c1', '…', [{ type: 'viewed', view: view('/p/a.ts', { lines: [[1, 1]] }) }]);
  expect((await ask(atMentionedFiles, { records: [partly], ports, moment: prompt('@a.ts') })).text).toContain('2\ttwo');
  const other = result('c1', '…', [{ type: 'viewed', view: view('/p/a.ts', { digest: 'older' }) }]);
  expect((await ask(atMentionedFiles, { records: [other], ports, moment: prompt('@a.ts') })).text).toContain('2\ttwo');
});

test('a long file is cut at a line, and says so', async () => {
  const long: MentionReading = {
    type: 'file',
    path: '/p/l',
    text: Array.from({ length: 99 }, (_, n) => `${n + 1}\tline`).join('\n'),
    view: view('/p/l'),
  };
  const told = await ask(atMentionedFiles, {
    ports: { mentions: { ...mentions, read: async () => long }, blobs: blobs() },
    moment: prompt('@l'),
    tokens: 100,
  });
  expect(told.text).toMatch(/\n\d+\tline\n\[\d+ more lines left out for want of room; reading it gives the rest\]$/);
  const left = Number(/^(\d+) lines of \/p\/l$/.exec(told.cut ?? '')?.[1]);
  expect(told.record?.effects).toEqual([{ type: 'viewed', view: view('/p/l', { lines: [[1, 99 - left]] }) }]);
});

test('a file for which no room was left was touched, not seen', async () => {
  const told = await ask(atMentionedFiles, { ports, moment: prompt('@a.ts'), tokens: 1 });
  expect(told.text).toContain('[2 more lines left out for want of room');
  expect(told.record?.effects).toEqual([{ type: 'touched', path: '/p/a.ts' }]);
});

test("only a person's words open files", async () => {
  expect((await ask(atMentionedFiles, { ports, moment: prompt('@a.ts', 'peer') })).type).toBe('nothing');
  expect((await ask(atMentionedFiles, { ports, moment: prompt('nothing named') })).type).toBe('nothing');
});
