import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../run.testing.js';
import { misfits } from '../schema.testing.js';
import type { DryContext } from './view.js';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
});
afterEach(() => project.remove());

const context = async (...flags: string[]): Promise<DryContext> => JSON.parse((await project.run('context', '--json', ...flags)).out);
const states = ({ files }: DryContext) =>
  files
    .filter(({ path }) => path.startsWith(project.root))
    .map(({ path, status, place }) => [path.slice(project.root.length + 1), status, place]);

it('accounts for every candidate, in the form that the schema describes', async () => {
  await project.put({
    '../home/.claude/CLAUDE.md': 'Be brief.\n',
    '../outside.md': 'From outside.\n',
    'CLAUDE.md': 'Use tabs.\n@gone.md\n@../outside.md\n@secret.md\n',
    'secret.md': 'Key.\n',
    '../home/mem/MEMORY.md': 'Deploys go by tag.\n',
    '../home/mem/deploy.md': 'Push the tag first.\n',
    '.claude/CLAUDE.md': 'Use tabs in all.\n',
    'AGENTS.md': 'Use tabs in all.\n',
    '.claude/rules/api.md': '---\npaths: api/**\n---\nAnswer in JSON.\n',
    '.claude/rules/odd.md': 'Words.\n---\npaths: api/**\n---\n',
    'legacy/CLAUDE.md': 'Old.\n',
    'lib/AGENTS.md': 'No loops.\n',
    '.sidenote/settings.json': '{"claudeMdExcludes": ["**/legacy/**"], "permissions": {"deny": ["Read(secret.md)"]}}',
    '../home/.sidenote/settings.json':
      '{"autoMemoryDirectory": "~/mem", "hooks": {"SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "date"}]}]}}',
  });
  const view = await context();
  const schema: unknown = JSON.parse(await readFile(join(import.meta.dirname, '../../../../../docs/context.schema.json'), 'utf8'));
  expect(misfits(view, schema)).toEqual([]);
  expect(states(view)).toEqual([
    ['home/.claude/CLAUDE.md', 'loaded', 'told'],
    ['project/CLAUDE.md', 'loaded', 'told'],
    ['project/gone.md', 'missing', 'absent'],
    ['outside.md', 'outside', 'absent'],
    ['project/secret.md', 'denied', 'absent'],
    ['project/.claude/CLAUDE.md', 'loaded', 'told'],
    ['project/AGENTS.md', 'shadowed', 'absent'],
    ['project/.claude/rules/api.md', 'scoped', 'waiting'],
    ['project/.claude/rules/odd.md', 'broken', 'absent'],
    ['project/legacy/CLAUDE.md', 'excluded', 'absent'],
    ['project/lib/AGENTS.md', 'nested', 'waiting'],
    ['home/mem/MEMORY.md', 'loaded', 'told'],
    ['home/mem/deploy.md', 'on-demand', 'waiting'],
  ]);
  expect(view.hooks).toMatchObject([{ event: 'SessionStart', runs: 'date' }]);
  const { out, status } = await project.run('context');
  expect(status).toBe(0);
  expect(out).toContain(`excluded by the setting claudeMdExcludes in .sidenote/settings.json`);
  expect(out).toContain('Hooks in settings, not run here');
  expect(out).not.toContain('── system');
  const texts = (await project.run('context', '--verbose', 'Tidy up')).out;
  expect(texts).toMatch(/── system\[0\] · section identity, [^\n]*\nYou are/);
  expect(texts).toMatch(/── messages\[0\]\.content\[0\] · user · attachment project_instructions[^]*Use tabs\.[^]*prompt human\nTidy up/);
});

it('shows what switches leave of it', async () => {
  await project.put({ 'CLAUDE.md': 'Project.\n', '../home/.claude/CLAUDE.md': 'User.\n', '../more/CLAUDE.md': 'Added.\n' });
  expect(states(await context('--bare', '--add-dir', '../more'))).toEqual([
    ['home/.claude/CLAUDE.md', 'off', 'absent'],
    ['more/CLAUDE.md', 'loaded', 'told'],
    ['project/CLAUDE.md', 'off', 'absent'],
  ]);
  expect(states(await context('--setting-sources', 'user', '--add-dir', '../more'))).toEqual([
    ['home/.claude/CLAUDE.md', 'loaded', 'told'],
    ['more/CLAUDE.md', 'off', 'absent'],
    ['project/CLAUDE.md', 'off', 'absent'],
  ]);
});
