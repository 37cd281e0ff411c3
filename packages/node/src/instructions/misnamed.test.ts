import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSite, type Site } from './instructions.testing.js';

let site: Site;
beforeEach(async () => {
  site = await makeSite();
});
afterEach(() => site.remove());

const misnamed = async (options: Parameters<Site['explain']>[0] = {}): Promise<readonly string[]> =>
  (await site.explain(options)).filter(({ status }) => status === 'misnamed').map(({ path }) => path.slice(site.root.length + 1));

it.runIf(process.platform === 'linux')('names of another letter case are named with what to do, and not read', async () => {
  await site.put({
    'home/.claude/Claude.md': 'U',
    'project/claude.md': 'P',
    'project/.claude/Claude.md': 'D',
    'project/AGENTS.md': 'told',
    'project/agents.md': 'A',
    'project/claude.local.md': 'L',
    'project/lib/Agents.MD': 'N',
    'project/src/agents.md': 'S',
    'project/src/README.md': '-',
    'project/docs/agents.md': 'a page',
    'project/docs/skills.md': 'a page',
  });
  expect(await misnamed()).toEqual([
    'home/.claude/Claude.md',
    'project/claude.md',
    'project/.claude/Claude.md',
    'project/agents.md',
    'project/claude.local.md',
    'project/lib/Agents.MD',
    'project/src/agents.md',
  ]);
  const file = (await site.explain()).find(({ path }) => path === join(site.project, 'claude.md'));
  expect(file).toMatchObject({
    text: '',
    warning: `${site.project}/claude.md is not told to the model: letter case counts in names of files, and only CLAUDE.md is looked for; rename it to CLAUDE.md`,
  });
});

it('so are files of a rules folder that end like text and are no rules', async () => {
  await site.put({
    'home/.claude/rules/own.txt': 'U',
    'project/.claude/rules/a.mdc': '---\nglobs: "*.ts"\n---\nA',
    'project/.claude/rules/deep/b.markdown': 'B',
    'project/.claude/rules/c.md': 'C',
    'project/.claude/rules/d.json': '{}',
    'project/lib/.claude/rules/e.mdc': 'E',
  });
  const expected = ['own.txt', 'a.mdc', 'b.markdown', 'e.mdc'];
  expect((await misnamed()).map((path) => path.split('/').at(-1))).toEqual(expected);
  const rule = (await site.explain()).find(({ path }) => path.endsWith('a.mdc'));
  expect(rule?.warning).toContain('only files that end with .md are rules; rename it to a.md, or move it out of the folder');
  expect((await site.read()).map(({ status }) => status)).toEqual(['loaded']);
});

it('not what is told by an import or a link, is excluded, or is off', async () => {
  await site.put({ 'project/CLAUDE.md': '@agents.md', 'project/agents.md': 'A', 'project/.claude/rules/x.txt': 'X' });
  await symlink('agents.md', join(site.project, '.claude/rules/y.txt'));
  expect(await misnamed({ excludes: () => ['**/x.txt'] })).toEqual([]);
  expect(await misnamed({ sources: ['user'] })).toEqual([]);
});
