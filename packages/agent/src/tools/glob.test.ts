import { readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globFilter } from './glob-pattern.js';
import { globTool } from './glob.js';
import { type Bench, openBench, textOf } from './tools.testing.js';

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.close());
const glob = async (pattern: string, path?: string) => textOf(await bench.use(globTool(bench.environment), { pattern, path })).split('\n');

function fill(): void {
  for (const [index, file] of [
    'a.ts',
    'src/b.ts',
    'src/deep/c.ts',
    'src/deep/d.md',
    '.hidden/e.ts',
    'ignored/f.ts',
    'node_modules/g.ts',
  ].entries()) {
    utimesSync(bench.put(file, ''), 1_000 + index, 1_000 + index);
  }
  bench.put('.gitignore', 'ignored/\nnode_modules\n');
}

describe.each(['in a repository', 'in a plain folder'])('%s', (place) => {
  beforeEach(() => {
    fill();
    if (place === 'in a repository') bench.git('init', '-q');
  });

  it('finds at any depth, newest first, ignored files left out', async () => {
    expect(await glob('*.ts')).toEqual(['.hidden/e.ts', 'src/deep/c.ts', 'src/b.ts', 'a.ts']);
  });

  it('takes folders by the names that routers give them', async () => {
    for (const file of ['app/(auth)/x.tsx', 'app/[id]/y.tsx', 'app/[[...slug]]/z.tsx']) bench.put(file, '');
    expect(await glob('app/(auth)/**/*.tsx')).toEqual(['app/(auth)/x.tsx']);
    expect(await glob('app/[[...slug]]/*')).toEqual(['app/[[...slug]]/z.tsx']);
    expect(await glob('app/[id]/*.tsx')).toEqual(['app/[id]/y.tsx']);
    expect(await glob(`${bench.cwd}/app/(auth)/*`)).toEqual(['app/(auth)/x.tsx']);
    expect(await glob('src/(b|c).ts')).toEqual(['src/b.ts']);
  });

  it('takes patterns as models write them', async () => {
    expect(await glob('src/*.ts')).toEqual(['src/b.ts']);
    expect(await glob('./src/**/*.{ts,md}')).toEqual(['src/deep/d.md', 'src/deep/c.ts', 'src/b.ts']);
    expect(await glob('src/')).toEqual(['src/deep/d.md', 'src/deep/c.ts', 'src/b.ts']);
    expect(await glob('*.ts', 'src')).toEqual(['src/deep/c.ts', 'src/b.ts']);
    expect(await glob(`${bench.cwd}/src/*.ts`)).toEqual(['src/b.ts']);
    expect(await glob(join(bench.cwd, 'src/b.ts'))).toEqual(['src/b.ts']);
    expect(await glob('../*.ts', 'src')).toEqual(['a.ts']);
  });

  it('looks into an ignored folder that is asked for', async () => {
    expect(await glob('*', 'ignored')).toEqual(['ignored/f.ts']);
    expect(await glob('*', 'node_modules')).toEqual(['node_modules/g.ts']);
  });

  it('says when nothing matches', async () => {
    expect(await glob('*.zig')).toEqual(['No files match.']);
  });
});

describe('Glob', () => {
  it('shows a hundred and counts the rest', async () => {
    for (let index = 0; index < 130; index += 1) bench.put(`many/${index}.txt`, '');
    const lines = await glob('*.txt');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toContain('30 more');
    const file = /all 130 are in (\S+)\]/.exec(lines.at(-1) ?? '')?.[1] ?? '';
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(130);
  });

  it('lists what lies in a nested repository', async () => {
    bench.git('init', '-q');
    bench.put('inner/x.ts', '');
    bench.git('init', '-q', 'inner');
    expect(await glob('*.ts')).toEqual(['inner/x.ts']);
  });

  it('leaves out what no longer exists, and what may not be read', async () => {
    bench.put('gone.ts', '');
    bench.put('kept.ts', '');
    bench.put('secret.ts', '');
    bench.git('init', '-q');
    bench.git('add', '-A');
    bench.git('rm', '-q', '--cached', 'kept.ts');
    symlinkSync('nowhere', join(bench.cwd, 'broken.ts'));
    const { unlinkSync } = await import('node:fs');
    unlinkSync(join(bench.cwd, 'gone.ts'));
    const tool = globTool({ ...bench.environment, mayRead: async (path) => !path.endsWith('secret.ts') });
    expect(textOf(await bench.use(tool, { pattern: '*.ts' }))).toBe('kept.ts');
  });

  it('refuses a path that is no folder', async () => {
    bench.put('a.ts', '');
    expect(await bench.use(globTool(bench.environment), { pattern: '*', path: 'a.ts' })).toMatchObject({ isError: true });
    expect(await bench.use(globTool(bench.environment), { pattern: '*', path: 'nowhere' })).toMatchObject({ isError: true });
  });

  it('names the folder as touched when it was given', async () => {
    bench.put('src/a.ts', '');
    expect((await bench.use(globTool(bench.environment), { pattern: '*', path: 'src' })).effects).toEqual([
      { type: 'touched', path: join(bench.cwd, 'src') },
    ]);
  });
});

describe('globFilter', () => {
  it.each([
    ['*.ts', 'src/a.ts', true],
    ['*.ts,*.md', 'docs/a.md', true],
    ['*.{ts,md}', 'docs/a.md', true],
    ['!*.test.ts', 'src/a.ts', true],
    ['*.ts,!*.test.ts', 'src/a.test.ts', false],
    ['/src/*.ts', 'src/a.ts', true],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
  ])('%s on %s: %s', (patterns, file, expected) => {
    expect(globFilter(patterns)(file)).toBe(expected);
  });
});
