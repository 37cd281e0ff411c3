import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folders, type Folders } from './folder.testing.js';
import type { Catalogue } from './library.js';
import { skillsPort } from './skills-port.js';

let at: Folders;
beforeEach(async () => {
  at = await folders();
});
afterEach(() => at.remove());

const skill = (description: string, more = '') => `---\ndescription: ${description}\n${more}---\nDo it.\n`;
const names = ({ skills }: Catalogue) => [...skills.values()].map(({ name, scope }) => `${name} (${scope})`).sort();
const left = ({ left }: Catalogue) => left.map(({ name, status, scope }) => `${name} ${status} (${scope})`);

it('finds those of the organisation, the person and the project, up to the root of the repository', async () => {
  await at.put({
    '../managed/.claude/skills/house/SKILL.md': skill('of the house'),
    '../home/.claude/skills/mine/SKILL.md': skill('mine'),
    '../home/.agents/skills/shared/SKILL.md': skill('shared'),
    '../home/.sidenote/skills/own/SKILL.md': skill('own'),
    '.claude/skills/root/SKILL.md': skill('root'),
    'apps/.agents/skills/app/SKILL.md': skill('app'),
    '../.claude/skills/above/SKILL.md': skill('above the repository'),
    '.claude/skills/readme.txt': 'no skill',
    '.claude/skills/empty/notes.md': 'no skill',
  });
  await mkdir(join(at.cwd, 'apps/web'), { recursive: true });
  const catalogue = await at.library({ cwd: join(at.cwd, 'apps/web') }).read();
  expect(names(catalogue)).toEqual(['app (project)', 'house (managed)', 'mine (user)', 'own (user)', 'root (project)', 'shared (user)']);
  expect(catalogue.left).toEqual([]);
  expect(names(await at.library({ bare: true }).read())).toEqual([]);
  expect(names(await at.library({ sources: ['user'] }).read())).toEqual(['house (managed)', 'mine (user)', 'own (user)', 'shared (user)']);
});

it('names what looks meant as a skill and is none', async () => {
  await at.put({
    '.claude/skills/flat.md': skill('flat'),
    '.claude/skills/README.md': 'About these.',
    '.claude/skills/lower/skill.md': skill('lower'),
    '.claude/skills/group/deep/SKILL.md': skill('deep'),
    '.claude/skills/copied/skills/pdf/SKILL.md': skill('pdf'),
    '.claude/skills/parts/text.md': 'no skill',
    '.claude/skills/fine/SKILL.md': skill('fine'),
  });
  const folder = join(at.cwd, '.claude/skills');
  const { left, skills } = await at.library().read();
  expect([...skills.keys()]).toEqual(['fine']);
  expect(left).toEqual(
    [
      { name: 'flat', path: join(folder, 'flat.md'), reason: 'a skill is a folder with a SKILL.md: flat/SKILL.md' },
      {
        name: 'copied',
        path: join(folder, 'copied'),
        reason: `skills are found directly in ${folder} alone, and this folder holds skills/pdf`,
      },
      { name: 'group', path: join(folder, 'group'), reason: `skills are found directly in ${folder} alone, and this folder holds deep` },
      { name: 'lower', path: join(folder, 'lower/skill.md'), reason: 'its file is not named SKILL.md, letter for letter' },
    ].map((one) => ({ ...one, scope: 'project', status: 'misplaced' })),
  );
});

it('looks for misplaced skills in so many folders, however many there are, and each time in the same ones', async () => {
  const folders = Array.from({ length: 700 }, (_, at) => `.claude/skills/data/${String(at).padStart(3, '0')}`);
  await at.put(Object.fromEntries(folders.map((folder, index) => [`${folder}/${index % 300 === 0 ? 'SKILL' : 'x'}.md`, skill('x')])));
  const library = at.library();
  const reasons = async () => (await library.read()).left.map(({ reason }) => reason);
  expect(await reasons()).toEqual([expect.stringMatching(/holds 000, 300$/)]);
  expect(await reasons()).toEqual(await reasons());
});

it('takes the person’s before the project’s, the nearer before the further, skills before commands, and says who was shadowed', async () => {
  await at.put({
    '../home/.claude/skills/deploy/SKILL.md': skill('mine'),
    '.claude/skills/deploy/SKILL.md': skill('of the root'),
    '.claude/skills/lint/SKILL.md': skill('of the root'),
    'app/.claude/skills/lint/SKILL.md': skill('of the app'),
    '.claude/commands/lint.md': 'A command.',
  });
  const catalogue = await at.library({ cwd: join(at.cwd, 'app') }).read();
  expect(catalogue.skills.get('deploy')?.description).toBe('mine');
  expect(catalogue.skills.get('lint')?.description).toBe('of the app');
  expect(left(catalogue)).toEqual(['lint shadowed (project)', 'deploy shadowed (project)', 'lint shadowed (project)'].sort());
});

it('finds a folder of skills when something beside it is touched, under a longer name where the plain one is taken', async () => {
  await at.put({
    '.claude/skills/deploy/SKILL.md': skill('root'),
    'apps/web/.claude/skills/deploy/SKILL.md': skill('web'),
    'apps/web/.claude/skills/theme/SKILL.md': skill('theme'),
    'node_modules/x/.claude/skills/bad/SKILL.md': skill('of others'),
    'apps/web/src/a.ts': '',
  });
  const library = at.library();
  expect(names(await library.read())).toEqual(['deploy (project)']);
  const touched = [join(at.cwd, 'apps/web/src/a.ts'), join(at.cwd, 'node_modules/x/i.js'), join(at.root, 'elsewhere')];
  const found = await library.read(touched);
  expect(names(found)).toEqual(['apps/web:deploy (nested)', 'deploy (project)', 'theme (nested)']);
  expect(await library.find('apps/web:theme')).toMatchObject({ type: 'found', skill: { description: 'theme' } });
  expect(await library.find('apps/web:deploy')).toMatchObject({ type: 'found', skill: { description: 'web' } });
  expect(await library.find('theme')).toMatchObject({ type: 'missing' });
  expect(await library.find('../home:theme')).toMatchObject({ type: 'missing' });
});

it('notices on the next look what was written, changed and removed', async () => {
  const library = at.library();
  const first = await library.read();
  await at.put({ '.claude/skills/one/SKILL.md': skill('first words') });
  const second = await library.read();
  expect(second.skills.get('one')?.description).toBe('first words');
  await at.put({ '.claude/skills/one/SKILL.md': skill('other words') });
  const third = await library.read();
  expect(third.skills.get('one')?.description).toBe('other words');
  await rm(join(at.cwd, '.claude/skills/one'), { recursive: true });
  const fourth = await library.read();
  expect(names(fourth)).toEqual([]);
  expect(new Set([first, second, third].map(({ version }) => version)).size).toBe(3);
  expect(fourth.version).toBe(first.version);
});

it('reads a file again only when its stat moved', async () => {
  await at.put({ '.claude/skills/one/SKILL.md': skill('words') });
  const path = join(at.cwd, '.claude/skills/one/SKILL.md');
  await utimes(path, new Date('2030-01-01'), new Date('2020-01-01'));
  const library = at.library();
  const before = await library.read();
  expect((await library.read()).skills.get('one')?.problems).toBe(before.skills.get('one')?.problems);
});

it('one skill that is reached twice is one', async () => {
  await at.put({ '.agents/skills/one/SKILL.md': skill('words') });
  await at.link('.claude/skills', join(at.cwd, '.agents/skills'));
  const catalogue = await at.library().read();
  expect([names(catalogue), catalogue.left]).toEqual([['one (project)'], []]);
});

it('a link out of a folder that nobody trusts gives nothing away', async () => {
  await at.put({ '../secret.md': 'KEY=1\n', '../home/.agents/skills/shared/SKILL.md': skill('shared') });
  await at.link('.claude/skills/leak/SKILL.md', join(at.root, 'secret.md'));
  await at.link('.claude/skills/mine', join(at.home, '.agents/skills/shared'));
  const catalogue = await at.library().read();
  expect(names(catalogue)).toEqual(['shared (user)']);
  expect(left(catalogue)).toEqual(['leak outside (project)']);
  const reading = await skillsPort(at.library(), { room: () => 100 }).read([], new AbortController().signal);
  expect(reading.notes?.[0]).toMatch(/^the skill leak is left out: .* outside the project, and this folder is not trusted$/);
  expect(names(await at.library({ trusted: true }).read())).toEqual(['leak (project)', 'shared (user)']);
});

it('settings and front matter say who may use a skill', async () => {
  await at.put({
    '.claude/skills/off/SKILL.md': skill('a'),
    '.claude/skills/bare/SKILL.md': skill('b'),
    '.claude/skills/typed/SKILL.md': skill('c'),
    '.claude/skills/closed/SKILL.md': skill('d', 'disable-model-invocation: true\n'),
    '.claude/skills/hidden/SKILL.md': skill('e', 'user-invocable: false\n'),
    '.claude/skills/styles/SKILL.md': skill('f', 'paths: "**/*.css"\n'),
    '.claude/commands/git/tidy.md': 'Tidy up.',
    '.claude/commands/review.md': skill('Reviews.'),
    'a.css': '',
  });
  const library = at.library({ overrides: { off: 'off', bare: 'name-only', typed: 'user-invocable-only' } });
  const listed = async (touched: readonly string[]) => {
    const reading = await skillsPort(library, { room: () => 100 }).read(touched, new AbortController().signal);
    return reading.type === 'ready' ? reading.value.map(({ name, description }) => `${name}: ${description}`) : [];
  };
  expect(await listed([])).toEqual(['bare: ', 'hidden: e', 'review: Reviews.']);
  expect(await listed([join(at.cwd, 'a.css')])).toContain('styles: f');
  const { skills, left: gone } = await library.read();
  expect(gone.map(({ status }) => status)).toEqual(['off']);
  expect([...skills.values()].filter(({ forPerson }) => !forPerson).map(({ name }) => name)).toEqual(['hidden']);
  expect(await library.find('tidy')).toMatchObject({ type: 'found', skill: { name: 'git:tidy' } });
  expect(await library.find('off')).toMatchObject({ type: 'missing', why: expect.stringContaining('skillOverrides') });
  expect(await library.find('reveiw')).toMatchObject({ type: 'missing', near: 'review' });
});

it('allows nothing in a folder that is not trusted', async () => {
  await at.put({
    '.claude/skills/one/SKILL.md': skill('a', 'allowed-tools: Read, Bash(git add:*) Grep\n'),
    '../home/.claude/skills/mine/SKILL.md': skill('b', 'allowed-tools:\n  - Bash(ls *)\n'),
  });
  const grants = async (trusted: boolean) => {
    const { skills } = await at.library({ trusted }).read();
    return [skills.get('one')?.grants, skills.get('mine')?.grants];
  };
  expect(await grants(false)).toEqual([[], ['Bash(ls *)']]);
  expect(await grants(true)).toEqual([['Read', 'Bash(git add:*)', 'Grep'], ['Bash(ls *)']]);
});
