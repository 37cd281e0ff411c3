import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nestedInstructions } from './index.js';

let root: string;
let project: string;
let home: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-nested-')));
  [project, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([project, home].map((path) => mkdir(path)));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(base: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(base, name)), { recursive: true });
    await writeFile(join(base, name), content);
  }
}

async function below(...paths: string[]): Promise<string[]> {
  const port = nestedInstructions({ cwd: project, home, env: {} });
  const files = await port.below(
    paths.map((path) => join(project, path)),
    new AbortController().signal,
  );
  return files.map(({ text, status }) => (status === 'loaded' ? text : `[${status}]`));
}

it('brings the files of the folders on the way, root to leaf, whether or not the path exists yet', async () => {
  await put(project, {
    'CLAUDE.md': 'TOP',
    'a/AGENTS.md': 'A',
    'a/b/CLAUDE.md': 'AB @x.md',
    'a/b/x.md': 'X',
    'a/c/CLAUDE.md': 'AC',
    'a/b/f.txt': '',
  });
  expect(await below('a/b/f.txt')).toEqual(['A', 'AB @x.md', 'X']);
  expect(await below('a/b/new/deep.txt', 'a/c/new.txt')).toEqual(['A', 'AB @x.md', 'X', 'AC']);
  expect(await below('a/b')).toEqual(['A', 'AB @x.md', 'X']);
  expect(await below('top.txt', '../elsewhere/f.txt')).toEqual([]);
  expect(await below()).toEqual([]);
});

it('brings nothing that is told at the start, and nothing that came with a dependency', async () => {
  await put(project, {
    'CLAUDE.md': 'TOP @lib/CLAUDE.md',
    'lib/CLAUDE.md': 'LIB',
    'lib/f.txt': '',
    'node_modules/x/AGENTS.md': 'FOREIGN',
    'node_modules/x/i.js': '',
  });
  expect(await below('lib/f.txt', 'node_modules/x/i.js')).toEqual([]);
});

it('brings scoped files once a path matches, also through a link, with their imports', async () => {
  await put(project, {
    '.claude/rules/ts.md': '---\npaths:\n  - src/**/*.{ts,tsx}\n---\nTS @more.md',
    '.claude/rules/more.md': '---\npaths: "*.txt"\n---\nMORE',
    'src/a.ts': '',
  });
  await put(home, { '.claude/rules/go.md': '---\npaths: "**/*.go"\n---\nGO' });
  await symlink(join(project, 'src'), join(root, 'link'));
  expect(await below('b.py')).toEqual([]);
  expect(await below('src/a.ts', 'src/b.ts')).toEqual(['TS @more.md']);
  expect(await below('../link/new.ts')).toEqual(['TS @more.md']);
  expect(await below('cmd/m.go', 'notes.txt')).toEqual(['GO', 'MORE']);
});

it('takes globs of a folder below as named from it or from the project, and for nothing beside it', async () => {
  await put(project, {
    '.git/HEAD': 'ref: refs/heads/main\n',
    'pkg/.claude/rules/own.md': '---\npaths: src/*.ts\n---\nOWN',
    'pkg/.claude/rules/full.md': '---\npaths: pkg/lib/*.ts\n---\nFULL',
    'src/a.ts': '',
  });
  expect(await below('pkg/src/a.ts')).toEqual(['OWN']);
  expect(await below('pkg/lib/a.ts')).toEqual(['FULL']);
  expect(await below('pkg/readme.md', 'src/a.ts', 'lib/a.ts')).toEqual([]);
});

it("takes globs of a user's file as named from the project, or from the working directory", async () => {
  await put(project, { '.git/HEAD': 'ref: refs/heads/main\n', 'pkg/src/a.ts': '' });
  await put(home, { '.claude/rules/near.md': '---\npaths: src/**\n---\nNEAR', '.claude/rules/far.md': '---\npaths: pkg/src/**\n---\nFAR' });
  const nested = nestedInstructions({ cwd: join(project, 'pkg'), home, env: {} });
  const found = await nested.below([join(project, 'pkg/src/a.ts')], new AbortController().signal);
  expect(found.map(({ text }) => text).sort()).toEqual(['FAR', 'NEAR']);
});
