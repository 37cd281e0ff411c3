import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSite, type Site } from './instructions.testing.js';

let site: Site;
beforeEach(async () => {
  site = await makeSite();
});
afterEach(() => site.remove());

const git = (cwd: string, ...args: readonly string[]): void => {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...who, ...args], { cwd, stdio: 'ignore' });
};

describe('of the organisation', () => {
  it('come first, with their rules and the text of the setting, and can’t be excluded', async () => {
    await site.put({
      'org/CLAUDE.md': 'ORG',
      'org/rules/deep/r.md': 'ORG-RULE',
      'org/.claude/rules/s.md': '---\npaths: "*.ts"\n---\nORG-TS',
      'home/.claude/CLAUDE.md': 'USER',
      'project/CLAUDE.md': 'P',
    });
    const managed = { folders: [site.org], text: { text: 'INLINE <!-- hid -->', file: '/etc/managed-settings.json' } };
    const files = await site.read({ managed, excludes: () => [{ glob: '**/*.md', file: '/s.json' }] });
    expect(site.short(files)).toEqual([
      'org/CLAUDE.md: ORG',
      'org/rules/deep/r.md: ORG-RULE',
      'org/.claude/rules/s.md: [scoped]',
      'home/.claude/CLAUDE.md: [excluded]',
      'project/CLAUDE.md: [excluded]',
    ]);
    expect(files[0]?.warning).toBe(
      `${site.org}/CLAUDE.md: files of the organisation can't be excluded; claudeMdExcludes in /s.json names it (**/*.md)`,
    );
    expect(files[3]).toMatchObject({
      reason: 'excluded by the setting claudeMdExcludes in /s.json (**/*.md)',
      from: { setting: 'claudeMdExcludes', file: '/s.json' },
    });
    expect(site.short(await site.below([join(site.project, 'a.ts')], { managed }))).toContain('org/.claude/rules/s.md: ORG-TS');
    const { instructionFiles } = await import('./index.js');
    const reading = await instructionFiles({ cwd: site.project, home: site.home, env: {}, managed }).read(new AbortController().signal);
    expect(reading.type === 'ready' && reading.value[0]).toMatchObject({ path: '/etc/managed-settings.json#claudeMd', text: 'INLINE' });
  });
});

describe('switches', () => {
  beforeEach(async () => {
    await site.put({
      'org/CLAUDE.md': 'ORG',
      'home/.claude/CLAUDE.md': 'USER',
      'project/CLAUDE.md': 'P',
      'project/CLAUDE.local.md': 'LOCAL',
      'project/.claude/rules/r.md': 'RULE',
      'out/CLAUDE.md': 'ADDED @near.md',
      'out/near.md': 'NEAR',
      'out/sub/AGENTS.md': 'ADDED-SUB',
    });
  });

  it('a bare run tells what added folders hold, and nothing else', async () => {
    const options = { bare: true, directories: ['../out'] };
    expect(site.short(await site.read(options))).toEqual(['out/CLAUDE.md: ADDED @near.md', 'out/near.md: NEAR']);
    expect(site.short(await site.read({ env: { CLAUDE_CODE_SIMPLE: '1' } }))).toEqual([]);
    expect(site.short(await site.below([join(site.out, 'sub/f.txt')], options))).toEqual(['out/sub/AGENTS.md: ADDED-SUB']);
    expect((await site.explain({ bare: true })).map(({ status, reason }) => [status, reason])).toEqual(
      Array.from({ length: 5 }, () => ['off', 'a bare run discovers nothing']),
    );
  });

  it('an added folder is told by its variable alone', async () => {
    const directories = [site.out];
    const env = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' };
    expect(site.short(await site.read({ directories }))).not.toContain('out/CLAUDE.md: ADDED @near.md');
    expect(site.short(await site.read({ directories, env }))).toEqual([
      'org/CLAUDE.md: ORG',
      'home/.claude/CLAUDE.md: USER',
      'out/CLAUDE.md: ADDED @near.md',
      'out/near.md: NEAR',
      'project/CLAUDE.md: P',
      'project/.claude/rules/r.md: RULE',
      'project/CLAUDE.local.md: LOCAL',
    ]);
    expect(await site.explain({ directories })).toContainEqual(
      expect.objectContaining({ path: join(site.out, 'CLAUDE.md'), status: 'off', reason: expect.stringContaining('added folder') }),
    );
  });

  it('setting sources choose scopes, but never leave out the organisation', async () => {
    expect(site.short(await site.read({ sources: ['user'] }))).toEqual(['org/CLAUDE.md: ORG', 'home/.claude/CLAUDE.md: USER']);
    expect(site.short(await site.read({ sources: ['local'] }))).toEqual(['org/CLAUDE.md: ORG', 'project/CLAUDE.local.md: LOCAL']);
    expect(await site.explain({ sources: ['user'] })).toContainEqual(
      expect.objectContaining({ status: 'off', reason: 'the setting sources leave out project' }),
    );
  });

  it('the off switch beats everything', async () => {
    const options = { env: { SIDENOTE_DISABLE_CLAUDE_MDS: '1' }, bare: true, directories: [site.out] };
    expect(await site.read(options)).toEqual([]);
    expect(new Set((await site.explain(options)).map(({ reason }) => reason))).toEqual(
      new Set(['switched off by CLAUDE_CODE_DISABLE_CLAUDE_MDS']),
    );
  });

  it('names per folder are those of the setting, and files of other names are told to be off', async () => {
    await site.put({ 'project/TEAM.md': 'TEAM', 'project/AGENTS.md': 'AG', 'secret.md': 'SECRET' });
    const files = await site.explain({ files: ['TEAM.md', '../secret.md'], sources: ['project'] });
    expect(site.short(files.filter(({ path }) => path.includes('/project/') || path.includes('secret')))).toEqual([
      'project/TEAM.md: TEAM',
      'secret.md: [outside]',
      'project/CLAUDE.md: [off]',
      'project/AGENTS.md: [off]',
      'project/.claude/rules/r.md: RULE',
      'project/CLAUDE.local.md: [off]',
    ]);
  });
});

describe('of the user', () => {
  it('hold a local file, and one for a repository goes by where it came from', async () => {
    await site.put({
      'home/.claude/CLAUDE.local.md': 'U-LOCAL',
      'home/.claude/rules/app.md': '---\nrepository: https://github.com/acme/app\n---\nAPP',
      'home/.claude/rules/lib.md': '---\nrepository: [github.com/acme/lib, git@host:x/y.git]\n---\nLIB',
    });
    git(site.project, 'init');
    git(site.project, 'remote', 'add', 'origin', 'git@github.com:acme/app.git');
    await mkdir(join(site.project, 'deep'));
    const cwd = join(site.project, 'deep');
    expect(site.short(await site.explain({ cwd }))).toEqual([
      'home/.claude/CLAUDE.local.md: U-LOCAL',
      'home/.claude/rules/app.md: APP',
      'home/.claude/rules/lib.md: [off]',
    ]);
    expect((await site.explain({ cwd })).at(-1)?.reason).toBe('for github.com/acme/lib, host/x/y; this is github.com/acme/app');
  });
});

describe('worktrees', () => {
  beforeEach(async () => {
    await site.put({ 'project/CLAUDE.md': 'MAIN', 'project/docs/d.md': 'DOC', 'project/.claude/rules/r.md': 'RULE' });
    git(site.project, 'init');
    git(site.project, 'add', '.');
    git(site.project, 'commit', '-m', 'one');
    git(site.project, 'worktree', 'add', '.claude/worktrees/w', '-b', 'w');
  });

  it('keep what only the main checkout has, its private file always, and import their own copy', async () => {
    const cwd = join(site.project, '.claude/worktrees/w');
    await site.put({
      'project/CLAUDE.md': 'STALE',
      'project/docs/d.md': 'STALE',
      'project/CLAUDE.local.md': 'PRIVATE @docs/d.md',
      'project/AGENTS.md': 'ONLY-MAIN',
      'project/.claude/rules/new.md': '---\npaths: "src/**"\n---\nNEW-RULE',
      'project/.claude/worktrees/w/CLAUDE.local.md': 'OWN-PRIVATE',
    });
    expect(site.short(await site.read({ cwd }))).toEqual([
      'project/CLAUDE.md: [shadowed]',
      'project/AGENTS.md: ONLY-MAIN',
      'project/.claude/rules/new.md: [scoped]',
      'project/.claude/rules/r.md: [shadowed]',
      'project/CLAUDE.local.md: PRIVATE @docs/d.md',
      'project/.claude/worktrees/w/docs/d.md: DOC',
      'project/.claude/worktrees/w/CLAUDE.md: MAIN',
      'project/.claude/worktrees/w/.claude/rules/r.md: RULE',
      'project/.claude/worktrees/w/CLAUDE.local.md: OWN-PRIVATE',
    ]);
    expect(site.short(await site.below([join(cwd, 'src/new.ts')], { cwd }))).toEqual(['project/.claude/rules/new.md: NEW-RULE']);
  });

  it('inside each other count as one, beside each other lose nothing', async () => {
    git(site.project, 'worktree', 'add', '../a/one', '-b', 'one');
    git(site.project, 'worktree', 'add', '../a/one/two', '-b', 'two');
    await site.put({ 'a/CLAUDE.md': 'BESIDE' });
    expect(site.short(await site.read({ cwd: join(site.root, 'a/one/two') }))).toEqual([
      'a/CLAUDE.md: BESIDE',
      'a/one/CLAUDE.md: [shadowed]',
      'a/one/.claude/rules/r.md: [shadowed]',
      'a/one/two/CLAUDE.md: MAIN',
      'a/one/two/.claude/rules/r.md: RULE',
    ]);
  });

  it('of a bare repository lose nothing of the folder around', async () => {
    const around = join(site.root, 'bare');
    git(site.root, 'clone', '--bare', site.project, join(around, '.git'));
    git(around, 'worktree', 'add', 'main');
    await site.put({ 'bare/CLAUDE.md': 'AROUND' });
    expect(site.short(await site.read({ cwd: join(around, 'main') }))).toEqual([
      'bare/CLAUDE.md: AROUND',
      'bare/main/CLAUDE.md: MAIN',
      'bare/main/.claude/rules/r.md: RULE',
    ]);
  });
});

describe('links', () => {
  it('that lead nowhere are said, loops end, and a line that names a neighbour counts as one', async () => {
    await site.put({ 'project/AGENTS.md': 'AG', 'project/CLAUDE.md': 'AGENTS.md\n', 'project/.claude/rules/r.md': 'R' });
    await symlink('gone.md', join(site.project, 'CLAUDE.local.md'));
    await symlink('..', join(site.project, '.claude/rules/up'));
    await symlink('loop.md', join(site.project, '.claude/rules/loop.md'));
    const files = await site.read();
    expect(site.short(files)).toEqual([
      'project/CLAUDE.md: [shadowed]',
      'project/AGENTS.md: AG',
      'project/.claude/rules/loop.md: [unreadable]',
      'project/.claude/rules/r.md: R',
      'project/CLAUDE.local.md: [missing]',
    ]);
    expect(files[0]?.reason).toBe(`it only names ${site.project}/AGENTS.md`);
    expect(files[4]?.warning).toContain('a link to nothing');
  });

  it('are excluded by either name', async () => {
    await site.put({ 'out/team.md': 'TEAM', 'project/CLAUDE.md': 'P' });
    await symlink(join(site.out, 'team.md'), join(site.project, 'AGENTS.md'));
    await symlink(site.project, join(site.root, 'door'));
    for (const glob of [join(site.out, '*.md'), '**/project/AGENTS.md', join(site.root, 'door/AGENTS.md')]) {
      const files = await site.read({ cwd: join(site.root, 'door'), excludes: () => [glob] });
      expect(files.map(({ status }) => status)).toEqual(['loaded', 'excluded']);
    }
  });
});
