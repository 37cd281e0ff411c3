import { execFileSync, spawnSync } from 'node:child_process';
import { symlinkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grepTool } from './grep.js';
import type { Query } from './search.js';
import { searchByRipgrep } from './search-ripgrep.js';
import { searchByScan } from './search-scan.js';
import { type Bench, openBench, textOf } from './tools.testing.js';

let bench: Bench;
beforeEach(() => {
  bench = openBench();
  bench.git('init', '-q');
  bench.put('src/a.ts', 'import x\nconst one = 1;\nconst two = 2;\r\nfour\nfive\nsix ONE\n');
  bench.put('src/b.md', 'one\n\none more\n');
  bench.put('ignored/c.ts', 'one\n');
  bench.put('.gitignore', 'ignored\n');
  bench.put('binary.bin', Buffer.from([0x6f, 0x6e, 0x65, 0, 1, 2]));
});
afterEach(() => bench.close());
const grep = async (input: object) => textOf(await bench.use(grepTool(bench.environment), input));

describe('Grep', () => {
  it('names the files that match', async () => {
    expect((await grep({ pattern: 'one' })).split('\n').sort()).toEqual(['src/a.ts', 'src/b.md']);
  });

  it('shows lines with numbers and context', async () => {
    expect(await grep({ pattern: 'one', output_mode: 'content' })).toBe('src/a.ts\n2:const one = 1;\nsrc/b.md\n1:one\n3:one more');
    expect(await grep({ pattern: 'one|six', path: 'src/a.ts', output_mode: 'content', '-C': 1 })).toBe(
      'src/a.ts\n1-import x\n2:const one = 1;\n3-const two = 2;\n--\n5-five\n6:six ONE',
    );
    expect(await grep({ pattern: 'five', output_mode: 'content', '-n': false, '-A': '1' })).toBe('src/a.ts\nfive\nsix ONE');
  });

  it('counts, ignores case, narrows by glob, type and path', async () => {
    expect(await grep({ pattern: 'one', output_mode: 'count' })).toBe('src/a.ts:1\nsrc/b.md:2');
    expect(await grep({ pattern: 'one', output_mode: 'count', '-i': true, glob: '*.ts' })).toBe('src/a.ts:2');
    expect(await grep({ pattern: 'one', type: 'md' })).toBe('src/b.md');
    expect(await grep({ pattern: 'one', type: 'cobol' })).toContain('Unknown type cobol; known: c, cpp');
    expect(await grep({ pattern: 'one', path: 'ignored' })).toBe('ignored/c.ts');
  });

  it('crosses lines when asked', async () => {
    expect(await grep({ pattern: 'two.*five', output_mode: 'content' })).toBe('No matches.');
    expect(await grep({ pattern: 'two.*five', output_mode: 'content', multiline: true })).toBe(
      'src/a.ts\n3:const two = 2;\n4:four\n5:five',
    );
  });

  it('puts what is too long into a file, and shows both ends of it', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `hit ${n} of a line that is long enough`);
    bench.put('many.txt', `${rows.join('\n')}\n`);
    const shown = await grep({ pattern: 'hit', path: 'many.txt', output_mode: 'content', head_limit: 0 });
    expect(shown.length).toBeLessThan(31_000);
    expect(shown).toMatch(/^many\.txt\n1:hit 0 [^]*2000:hit 1999 of a line that is long enough$/);
    const file = /all of it in (\S+grep-[\w-]+\.txt)/.exec(shown)?.[1] ?? '';
    expect(readFileSync(file, 'utf8')).toBe(`many.txt\n${rows.map((row, n) => `${n + 1}:${row}`).join('\n')}`);
  });

  it('cuts at head_limit and says how much is left', async () => {
    bench.put('many.txt', 'hit\n'.repeat(400));
    expect((await grep({ pattern: 'hit', path: 'many.txt', output_mode: 'content' })).split('\n')).toHaveLength(251);
    expect(await grep({ pattern: 'hit', path: 'many.txt', output_mode: 'content', head_limit: 2 })).toBe(
      'many.txt\n1:hit\n[… 399 more lines; narrow the search or raise head_limit]',
    );
    expect((await grep({ pattern: 'hit', path: 'many.txt', output_mode: 'content', head_limit: 0 })).split('\n')).toHaveLength(401);
  });

  it('cuts long lines between characters', async () => {
    bench.put('wide.txt', `x${'\u{1F9CA}'.repeat(3_000)}`);
    const found = await grep({ pattern: 'x', path: 'wide.txt', output_mode: 'content' });
    expect(found.length).toBeLessThan(700);
    expect(found.isWellFormed()).toBe(true);
  });

  it('explains a pattern that is none', async () => {
    const outcome = await bench.use(grepTool(bench.environment), { pattern: '(' });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toContain("The pattern can't be used");
  });

  it('refuses what is no regular file at once', async () => {
    execFileSync('mkfifo', [join(bench.cwd, 'live.pipe')]);
    expect(await grep({ pattern: 'x', path: 'live.pipe' })).toContain('not a regular file');
    expect(await grep({ pattern: 'x', path: 'nowhere' })).toContain('There is no file or folder');
    expect(await grep({ pattern: 'nothing at all' })).toBe('No matches.');
  });

  it('passes over files that may not be read, and names the path it was given as touched', async () => {
    const tool = grepTool({ ...bench.environment, mayRead: async (path) => !path.endsWith('.md') });
    const outcome = await bench.use(tool, { pattern: 'one', path: 'src' });
    expect(textOf(outcome)).toBe('src/a.ts');
    expect(outcome.effects).toEqual([{ type: 'touched', path: join(bench.cwd, 'src') }]);
  });
});

const query = (more: Partial<Query>): Query => ({
  folder: bench.cwd,
  file: undefined,
  pattern: 'one',
  ignoreCase: false,
  multiline: false,
  before: 0,
  after: 0,
  glob: undefined,
  typeGlobs: undefined,
  signal: new AbortController().signal,
  mayRead: async () => true,
  ...more,
});

describe('searchByScan', () => {
  it('stops a pattern that backtracks without end', async () => {
    bench.put('trap.txt', `${'a'.repeat(50)}!`);
    expect(await searchByScan(query({ pattern: '(a+)+$' }))).toMatchObject({
      type: 'bad-pattern',
      why: expect.stringContaining('too long') as string,
    });
  });

  it('follows no link, and says what was too large', async () => {
    bench.put('../outside.txt', 'one\n');
    symlinkSync('../outside.txt', join(bench.cwd, 'link.txt'));
    bench.put('large.log', 'one\n'.repeat(1_100_000));
    const found = await searchByScan(query({ glob: '*.{txt,log}' }));
    expect(found).toMatchObject({ type: 'found', hits: [], notes: [expect.stringContaining('1 files over 4 MiB') as string] });
  });

  it('takes flags that other dialects write into the pattern', async () => {
    expect(await searchByScan(query({ pattern: '(?i)SIX one' }))).toMatchObject({ hits: [{ file: 'src/a.ts', count: 1 }] });
  });
});

const hasRipgrep = spawnSync('rg', ['--version']).status === 0;
describe.runIf(hasRipgrep)('searchByRipgrep', () => {
  it.each<[string, Partial<Query>]>([
    ['a word', {}],
    ['context', { pattern: 'one|five', before: 1, after: 2 }],
    ['case', { pattern: 'ONE', ignoreCase: true }],
    ['lines', { pattern: 'two.*five', multiline: true }],
    ['globs', { glob: '*.ts,!src/b*' }],
    ['a type', { typeGlobs: ['*.md'] }],
    ['one file', { folder: '', file: 'a.ts' }],
    ['nothing', { pattern: 'absent' }],
  ])('finds what the scan finds: %s', async (_name, more) => {
    const asked = query({ ...more, ...(more.file === undefined ? {} : { folder: join(bench.cwd, 'src') }) });
    expect(await searchByRipgrep(asked)).toEqual(await searchByScan(asked));
  });

  it('explains a pattern that is none', async () => {
    expect(await searchByRipgrep(query({ pattern: '(' }))).toMatchObject({ type: 'bad-pattern' });
  });
});

it('searchByRipgrep is undefined where there is none', async () => {
  expect(await searchByRipgrep(query({}), join(bench.cwd, 'no-such-program'))).toBeUndefined();
});
