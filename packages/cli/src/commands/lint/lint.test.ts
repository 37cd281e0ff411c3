import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../run.testing.js';
import type { Finding } from './finding.js';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
});
afterEach(() => project.remove());

type Report = { readonly findings: readonly Finding[]; readonly errors: number; readonly warnings: number };
async function lint(): Promise<{ readonly status: number; readonly report: Report }> {
  const { status, out } = await project.run('lint', '--json');
  return { status, report: JSON.parse(out) };
}
const found = ({ findings }: Report) =>
  findings.map(({ rule, severity, file, line }) => [
    rule,
    severity,
    file.slice(project.cwd.length + 1),
    ...(line === undefined ? [] : [line]),
  ]);

it('names file, line and remedy of everything that has no effect or should not be there', async () => {
  await project.put({
    'CLAUDE.md': '<!-- note -->\nUse tabs.\n\nSee @gone.md\nOr <system-reminder>now</system-reminder>\nzero\u200bwidth\n',
    'AGENTS.md': `Key: AKIA${'Q7'.repeat(8)}\n`,
    'lib/CLAUDE.md': 'The same.\n',
    'src/CLAUDE.md': 'The same.\n',
    '.claude/rules/api.md': '---\npaths: api/**\n---\nJSON.\n',
    '.claude/rules/lib.md': '---\npaths: lib/**\n---\nNo loops.\n',
    '.claude/rules/old.mdc': 'Words.\n',
    '.claude/rules/late.md': 'Words.\n---\npaths: lib/**\n---\n',
    '.sidenote/settings.json': '{\n  "modle": "opus",\n  "cleanupPeriodDays": "ten"\n}',
  });
  const { status, report } = await lint();
  expect(status).toBe(1);
  expect(found(report)).toEqual([
    ['missing', 'error', 'CLAUDE.md', 4],
    ['tag', 'warning', 'CLAUDE.md', 5],
    ['invisible', 'warning', 'CLAUDE.md', 6],
    ['secret', 'error', 'AGENTS.md', 1],
    ['broken', 'error', '.claude/rules/late.md'],
    ['duplicate', 'warning', 'src/CLAUDE.md'],
    ['misnamed', 'warning', '.claude/rules/old.mdc'],
    ['idle-rule', 'warning', '.claude/rules/api.md'],
    ['settings-unknown-key', 'warning', '.sidenote/settings.json', 2],
    ['settings-wrong-type', 'error', '.sidenote/settings.json', 3],
  ]);
  const { out } = await project.run('lint');
  expect(out).toContain('CLAUDE.md:4: error (missing): gone.md is not told to the model: there is no such file');
  expect(out).not.toContain('AKIA');
  expect(out).toContain('4 errors, 6 warnings');
});

it('places what is wrong with agents and servers in their files, and says each thing once', async () => {
  await project.put({
    'AGENTS.md': `Key: sk-ant-${'Q7'.repeat(20)}\n`,
    '.claude/agents/a.md': 'Words alone.\n',
    '.claude/agents/b.md': '---\nname: b\ndescription: Looks.\nhooks: {}\n---\nLook.\n',
    '.mcp.json': '{"mcpServers": {"x": {}}}',
    '.sidenote/settings.json': '{"model": 3}',
  });
  const { report } = await lint();
  expect(found(report)).toEqual([
    ['secret', 'error', 'AGENTS.md', 1],
    ['agent', 'error', '.claude/agents/a.md', 1],
    ['agent', 'warning', '.claude/agents/b.md', 4],
    ['settings-wrong-type', 'error', '.sidenote/settings.json', 1],
    ['settings-idle', 'warning', '.mcp.json'],
  ]);
  const { out } = await project.run('lint');
  expect(out).toContain('.sidenote/settings.json:1: error (settings-wrong-type): "model" must be');
  await expect(project.run('lint', 'AGENTS.md')).rejects.toThrow('sidenote lint takes no words');
});

it('judges hooks and rules of a folder that nobody has trusted yet, and runs none', async () => {
  const hooks = { PreTolUse: [], SessionStart: [{ hooks: [{ type: 'command', command: 'touch ran' }] }] };
  await project.put({ '.sidenote/settings.json': JSON.stringify({ permissions: { allow: ['Bash(npm test'] }, hooks }) });
  const { report } = await lint();
  expect(found(report).map(([rule, severity]) => [rule, severity])).toEqual([
    ['settings-rule', 'error'],
    ['settings-idle', 'warning'],
  ]);
  const { out } = await project.run('lint');
  expect(out).toContain('.sidenote/settings.json: error (settings-rule): The permission rule "Bash(npm test" was left out');
  expect(out).toContain('"hooks.PreTolUse": there is no such event; did you mean "PreToolUse"?');
  expect(existsSync(join(project.cwd, 'ran'))).toBe(false);
});

it('finds nothing wrong with what is as it should be', async () => {
  await project.put({
    'AGENTS.md': 'Use tabs, @author says.\n',
    'lib/a.ts': '',
    '.claude/rules/lib.md': '---\npaths: lib/**\n---\nNo loops.\n',
  });
  const { status, report } = await lint();
  expect([status, report]).toMatchObject([0, { findings: [], errors: 0, warnings: 0 }]);
});

it('names what is wrong with skills, those below included, and with which line', async () => {
  await project.put({
    '.claude/skills/Bad_Name/SKILL.md': '---\nname: other\npaths: 3\n---\nWords.\n',
    '.claude/skills/fine/SKILL.md': '---\nname: fine\ndescription: Does it.\n---\n',
    '.agents/skills/fine/SKILL.md': '---\nname: fine\ndescription: Does it, too.\n---\n',
    'apps/web/.claude/skills/broken/SKILL.md': '---\nname: [\n---\nWords.\n',
  });
  const { status, report } = await lint();
  expect(status).toBe(1);
  expect(found(report)).toEqual([
    ['skill', 'warning', '.claude/skills/Bad_Name/SKILL.md', 1],
    ['skill', 'warning', '.claude/skills/Bad_Name/SKILL.md', 2],
    ['skill', 'warning', '.claude/skills/Bad_Name/SKILL.md', 2],
    ['skill', 'error', '.claude/skills/Bad_Name/SKILL.md', 3],
    ['skill', 'warning', 'apps/web/.claude/skills/broken/SKILL.md', 1],
    ['skill', 'error', 'apps/web/.claude/skills/broken/SKILL.md', 2],
    ['skill-shadowed', 'warning', '.agents/skills/fine/SKILL.md'],
  ]);
});
