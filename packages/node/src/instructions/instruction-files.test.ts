import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InstructionFile } from '@sidenote/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '../files/index.js';
import { instructionFiles, type InstructionOptions } from './index.js';

let root: string;
let project: string;
let home: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-instructions-')));
  [project, home] = [join(root, 'project'), join(root, 'home')];
  await Promise.all([project, home].map((path) => mkdir(path)));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(base: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(base, name)), { recursive: true });
    await writeFile(join(base, name), content);
  }
}

async function read(options: Partial<InstructionOptions> = {}): Promise<readonly InstructionFile[]> {
  const reading = await instructionFiles({ cwd: project, home, env: {}, ...options }).read(new AbortController().signal);
  if (reading.type !== 'ready') throw new Error(reading.why);
  // What lies above the temporary folder is not the test's.
  return reading.value.filter(({ path }) => path.startsWith(root));
}

/** `path: text` of what is told, and `path: [status]` of the rest. */
async function told(options: Partial<InstructionOptions> = {}): Promise<string[]> {
  return (await read(options)).map(
    ({ path, text, status }) => `${path.slice(root.length + 1)}: ${status === 'loaded' ? text : `[${status}]`}`,
  );
}

describe('which files, in which order', () => {
  it('goes from the user to every ancestor to the working directory, and per folder in a fixed order', async () => {
    await put(home, { '.claude/CLAUDE.md': 'U1', '.sidenote/AGENTS.md': 'U2', '.claude/rules/u.md': 'U3' });
    await put(project, {
      'CLAUDE.local.md': 'P5',
      'AGENTS.md': 'P3',
      '.claude/CLAUDE.md': 'P2',
      'CLAUDE.md': 'P1',
      '.claude/rules/b/z.MD': 'P4b',
      '.claude/rules/b/z.mdc': 'never',
      '.claude/rules/a.md': 'P4a',
      'sub/CLAUDE.md': 'S1',
      'sub/below/CLAUDE.md': 'never',
      'GEMINI.md': 'never',
    });
    expect(await told({ cwd: join(project, 'sub') })).toEqual([
      'home/.claude/CLAUDE.md: U1',
      'home/.claude/rules/u.md: U3',
      'home/.sidenote/AGENTS.md: U2',
      'project/CLAUDE.md: P1',
      'project/.claude/CLAUDE.md: P2',
      'project/AGENTS.md: P3',
      'project/.claude/rules/a.md: P4a',
      'project/.claude/rules/b/z.MD: P4b',
      'project/CLAUDE.local.md: P5',
      'project/sub/CLAUDE.md: S1',
    ]);
    expect((await read({ cwd: join(project, 'sub') })).map(({ scope }) => scope)).toEqual(
      [...'uuupppppp'].map((one, i) => (i === 8 ? 'local' : one === 'u' ? 'user' : 'project')).concat('project'),
    );
  });

  it('does not stop at a repository of its own in between', async () => {
    await put(project, { 'CLAUDE.md': 'OUTER', 'sub/CLAUDE.md': 'INNER', 'sub/.git': 'gitdir: ../.git/modules/sub' });
    expect(await told({ cwd: join(project, 'sub') })).toEqual(['project/CLAUDE.md: OUTER', 'project/sub/CLAUDE.md: INNER']);
  });

  it('follows the variables that move the user folders, as a whole', async () => {
    await put(home, { '.claude/CLAUDE.md': 'DEFAULT', 'moved/CLAUDE.md': 'MOVED', 'own/AGENTS.md': 'OWN', 'p/CLAUDE.md': 'P' });
    const env = { CLAUDE_CONFIG_DIR: join(home, 'moved'), SIDENOTE_CONFIG_DIR: join(home, 'own') };
    expect(await told({ cwd: join(home, 'p'), env })).toEqual([
      'home/moved/CLAUDE.md: MOVED',
      'home/own/AGENTS.md: OWN',
      'home/p/CLAUDE.md: P',
    ]);
  });

  it('is nothing while switched off, and our twin of the switch wins', async () => {
    await put(project, { 'CLAUDE.md': 'P' });
    expect(await told({ env: { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' } })).toEqual([]);
    expect(await told({ env: { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1', SIDENOTE_DISABLE_CLAUDE_MDS: '0' } })).toEqual([
      'project/CLAUDE.md: P',
    ]);
  });

  it('leaves out what is excluded, and says so', async () => {
    await put(project, { 'CLAUDE.md': 'BIG', 'ui/CLAUDE.md': 'UI' });
    expect(await told({ cwd: join(project, 'ui'), excludes: () => ['**/project/CLAUDE.md'] })).toEqual([
      'project/CLAUDE.md: [excluded]',
      'project/ui/CLAUDE.md: UI',
    ]);
  });

  it('leaves out what is excluded as it is named from the project', async () => {
    await put(project, { 'CLAUDE.md': 'BIG', 'AGENTS.md': 'AG', '.claude/rules/a.md': 'RULE', 'ui/CLAUDE.md': 'UI' });
    expect(await told({ excludes: () => ['.claude/rules/**', './AGENTS.md', 'ui/CLAUDE.md'] })).toEqual([
      'project/CLAUDE.md: BIG',
      'project/AGENTS.md: [excluded]',
      'project/.claude/rules/a.md: [excluded]',
    ]);
  });
});

describe('each file once', () => {
  it('by its real path: user files below the home, links, hard links, imports', async () => {
    await put(home, { '.claude/CLAUDE.md': 'USER', 'proj/AGENTS.md': 'AG' });
    await symlink(home, join(root, 'homelink'));
    await symlink('AGENTS.md', join(home, 'proj/CLAUDE.md'));
    expect(await told({ cwd: join(root, 'homelink/proj'), home: join(root, 'homelink') })).toEqual([
      'home/.claude/CLAUDE.md: USER',
      'home/proj/AGENTS.md: AG',
    ]);
    await put(project, { 'AGENTS.md': 'SAME' });
    await link(join(project, 'AGENTS.md'), join(project, 'CLAUDE.md'));
    expect(await told()).toEqual(['home/.claude/CLAUDE.md: USER', 'project/CLAUDE.md: SAME', 'project/AGENTS.md: [shadowed]']);
  });

  it('by its text within a folder, not across folders', async () => {
    await put(project, { 'CLAUDE.md': 'TWIN\n', 'AGENTS.md': 'TWIN', 'sub/CLAUDE.md': 'TWIN' });
    expect(await told({ cwd: join(project, 'sub') })).toEqual([
      'project/CLAUDE.md: TWIN',
      'project/AGENTS.md: [shadowed]',
      'project/sub/CLAUDE.md: TWIN',
    ]);
  });

  it('from the worktree where the main checkout around it has another copy', async () => {
    const git = (cwd: string, ...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args], {
        cwd,
        stdio: 'ignore',
      });
    };
    await put(project, { 'CLAUDE.md': 'WT', 'a.txt': '' });
    git(project, 'init');
    git(project, 'add', '.');
    git(project, 'commit', '-m', 'one');
    git(project, 'worktree', 'add', '.claude/worktrees/w', '-b', 'w');
    await put(project, { 'CLAUDE.md': 'STALE', 'CLAUDE.local.md': 'ONLY MAIN' });
    expect(await told({ cwd: join(project, '.claude/worktrees/w') })).toEqual([
      'project/CLAUDE.md: [shadowed]',
      'project/CLAUDE.local.md: ONLY MAIN',
      'project/.claude/worktrees/w/CLAUDE.md: WT',
    ]);
  });
});

describe('imports', () => {
  it('follow their file, each once, in order of first mention, in cycles and diamonds', async () => {
    await put(project, {
      'CLAUDE.md': 'TOP @docs/b.md, (@docs/c.md): @"docs/the d.md"\n@CLAUDE.md',
      'docs/b.md': 'B @e.md',
      'docs/c.md': 'C @e.md @../CLAUDE.md',
      'docs/the d.md': 'D',
      'docs/e.md': 'E @b.md',
    });
    expect((await told()).map((line) => line.split(' ')[0])).toEqual([
      'project/CLAUDE.md:',
      'project/docs/b.md:',
      'project/docs/e.md:',
      'project/docs/c.md:',
      'project/docs/the',
    ]);
  });

  it('are words in code, in comments, and where no file is meant', async () => {
    const text =
      'Use @param, @acme/tool and mail dev@corp.example.\n\n```\n@real.md\n```\n\n`@real.md`\n\n    @real.md\n\n<!-- @real.md -->\n\n- ~~~\n  @real.md';
    await put(project, { 'CLAUDE.md': text, 'real.md': 'NO' });
    expect((await told()).length).toBe(1);
    await put(project, { 'CLAUDE.md': `${text}\n  ~~~\n\n@real.md` });
    expect((await told()).slice(1)).toEqual(['project/real.md: NO']);
  });

  it('end after five hops, and the sixth is named', async () => {
    await put(project, {
      'CLAUDE.md': '0 @h1.md',
      ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`h${i + 1}.md`, `${i + 1} @h${i + 2}.md`])),
    });
    expect((await told()).map((line) => line.replace(/ @.*/, ''))).toEqual([
      ...['CLAUDE.md: 0', 'h1.md: 1', 'h2.md: 2', 'h3.md: 3', 'h4.md: 4', 'h5.md: 5', 'h6.md: [too-deep]'].map((line) => `project/${line}`),
    ]);
  });

  it('that a rule keeps from the model are named, those of the organisation apart', async () => {
    await put(project, { 'CLAUDE.md': 'P @.env @a.md', '.env': 'KEY=1', 'a.md': 'A' });
    const mayRead = async (path: string): Promise<boolean> => !path.endsWith('.env');
    expect(await told({ mayRead })).toEqual(['project/CLAUDE.md: P @.env @a.md', 'project/.env: [denied]', 'project/a.md: A']);
    const warned = (await read({ mayRead })).find(({ status }) => status === 'denied')?.warning;
    expect(warned).toMatch(/\.env is not told to the model: a permission rule forbids reading it; imported by .*CLAUDE\.md, line 1; take/);
    await put(root, { 'org/CLAUDE.md': `@${project}/.env` });
    expect(await told({ mayRead, managed: { folders: [join(root, 'org')] } })).toContain('project/.env: KEY=1');
  });

  it('from the repository around one that lies in it are from outside', async () => {
    await put(project, { '.git/HEAD': 'x', 'x.md': 'X', 'in/.git/HEAD': 'x', 'in/AGENTS.md': '@../x.md' });
    expect(await told({ cwd: join(project, 'in') })).toContain('project/x.md: [outside]');
  });

  it('from outside wait for an approval in project files, also behind a link, but not in the user’s own', async () => {
    await put(root, { 'out/ext.md': 'EXT', 'out/user.md': 'USER-EXT' });
    await put(home, { '.claude/CLAUDE.md': `@${root}/out/user.md @~/h.md`, 'h.md': 'HOME' });
    await put(project, { 'CLAUDE.md': `P @${root}/out/ext.md @in.md` });
    await symlink(join(root, 'out/ext.md'), join(project, 'in.md'));
    const files = await read();
    expect(files.map(({ path, status }) => `${path.slice(root.length + 1)} ${status}`)).toEqual([
      'home/.claude/CLAUDE.md loaded',
      'out/user.md loaded',
      'home/h.md loaded',
      'project/CLAUDE.md loaded',
      'out/ext.md outside',
      'project/in.md outside',
    ]);
    expect(files[4]?.reason).toBe(`outside the project, and imports from there are not approved; imported by ${project}/CLAUDE.md, line 1`);
    expect((await told({ externalImports: () => 'approved' })).slice(4)).toEqual(['out/ext.md: EXT']);
  });

  it('that an ancestor may not make, but that load anyway, are no news', async () => {
    await put(project, { 'CLAUDE.md': '@AGENTS.md @docs/t.md', 'AGENTS.md': 'AG', 'docs/t.md': 'T' });
    await mkdir(join(project, 'a/b'), { recursive: true });
    expect((await told({ cwd: join(project, 'a/b') })).slice(1)).toEqual(['project/docs/t.md: [outside]', 'project/AGENTS.md: AG']);
    await mkdir(join(project, '.git'));
    expect((await told({ cwd: join(project, 'a/b') })).slice(1)).toEqual(['project/AGENTS.md: AG', 'project/docs/t.md: T']);
  });

  it('that fail are named with the line that wants them', async () => {
    await put(project, {
      'CLAUDE.md': 'TOP\n@gone.md\n@pic.png\n@latin1.md',
      'pic.png': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      'latin1.md': Buffer.from('CAF\xc9', 'latin1'),
    });
    const files = await read();
    expect(files.map(({ status }) => status)).toEqual(['loaded', 'missing', 'unusable', 'loaded']);
    expect(files[1]?.reason).toBe(`there is no such file; imported by ${project}/CLAUDE.md, line 2`);
    expect(files[2]?.reason).toContain('image/png');
    expect(files[3]).toMatchObject({ text: 'CAFÉ', reason: expect.stringContaining('latin1') });
  });
});

describe('odd files', () => {
  it('are a status, never an error', async () => {
    execFileSync('mkfifo', [join(project, 'CLAUDE.md')]);
    await put(project, {
      '.claude/CLAUDE.md': Buffer.from([0, 1]),
      'AGENTS.md': 'x'.repeat(4 * 1024 * 1024 + 1),
      'CLAUDE.local.md': '<!-- nothing else -->\n',
    });
    expect(await told()).toEqual([
      'project/CLAUDE.md: [unusable]',
      'project/.claude/CLAUDE.md: [unusable]',
      'project/AGENTS.md: [too-large]',
      'project/CLAUDE.local.md: [empty]',
    ]);
    expect((await read())[0]?.reason).toBe('a fifo, not a regular file');
  });

  it('come with plain line ends, whole and without a mark, and with a view of what was told', async () => {
    await put(project, { 'CLAUDE.md': `\ufeff---\r\ndescription: x\r\n---\r\nONE\r\n<!-- hid -->\r\nTWO ${'é'.repeat(40_000)}\r\n` });
    const [file] = await read();
    expect(file?.text).toBe(`ONE\nTWO ${'é'.repeat(40_000)}`);
    expect(file?.view).toMatchObject({
      path: join(project, 'CLAUDE.md'),
      form: 'instructions',
      lines: 'all',
      digest: digestOf(file?.text ?? ''),
    });
  });

  it('that are meant for some paths wait for one', async () => {
    await put(project, {
      '.claude/rules/ts.md': '---\npaths: **/*.ts\n---\nTS',
      '.claude/rules/never.md': '---\npaths: []\n---\nN',
      '.claude/rules/odd.md': '---\nglobs: "*.py"\n---\nO',
      '.claude/rules/blank.md': '---\npaths:\n---\nB',
    });
    expect((await read()).map(({ status, reason }) => `${status}: ${reason}`)).toEqual([
      'broken: `paths` is not a list of globs',
      'scoped: for no file (it names none)',
      'scoped: for *.py',
      'scoped: for **/*.ts',
    ]);
  });
});

it('has a version that moves with what is told and with nothing else', async () => {
  const source = instructionFiles({ cwd: project, home, env: {} });
  const version = async (): Promise<string> => {
    const reading = await source.read(new AbortController().signal);
    return reading.type === 'ready' ? reading.version : reading.why;
  };
  await put(project, { 'CLAUDE.md': 'ONE <!-- a -->' });
  const first = await version();
  await put(project, { 'CLAUDE.md': 'ONE <!-- b -->' });
  expect(await version()).toBe(first);
  await put(project, { 'CLAUDE.md': 'TWO' });
  expect(await version()).not.toBe(first);
});
