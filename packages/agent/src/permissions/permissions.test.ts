import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPermissions } from './permissions.js';
import { asker, fakeTool, makeProject } from './permissions.testing.js';
import type { Project } from './permissions.testing.js';
import type { Mode } from './contract.js';
import { MODES } from './session-mode.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

const type = async (decision: Promise<{ type: string }>) => (await decision).type;

describe('files', () => {
  it('reads inside without asking, asks outside and through links that lead out', async () => {
    const { judge } = asker(project);
    expect(await type(judge('Read', 'src/a.ts'))).toBe('allow');
    expect(await type(judge('Read', 'not/there'))).toBe('allow');
    expect(await type(judge('Read', project.outside))).toBe('ask');
    expect(await type(judge('Read', 'link/secret'))).toBe('ask');
    expect(await type(judge('Read', '../outside/secret'))).toBe('ask');
  });

  it('asks before it writes, and takes edits inside in acceptEdits', async () => {
    expect(await type(asker(project).judge('Write', 'src/a.ts'))).toBe('ask');
    const { judge } = asker(project, { mode: 'acceptEdits' });
    expect(await type(judge('Write', 'src/new.ts'))).toBe('allow');
    for (const file of ['dangling', 'link/x', '../x', '.git/hooks/pre-commit', '.claude/settings.json', '.mcp.json']) {
      expect([file, await type(judge('Edit', file))]).toEqual([file, 'ask']);
    }
  });

  it('takes rules that came since: those of the call that was judged, without a further look for each of its files', async () => {
    let [rules, looks] = [{ deny: ['Read(src/a.ts)'], ask: [] }, 0];
    const { judge, permissions } = asker(project, { later: async () => (looks++, rules) });
    const mayRead = (file: string, inCall: boolean) => permissions.mayRead(`${project.cwd}/${file}`, { inCall });
    expect(await type(judge('Read', 'src/a.ts'))).toBe('deny');
    rules = { deny: ['Read(src/b.ts)'], ask: [] };
    for (let file = 0; file < 100; file++) expect(await mayRead('src/a.ts', true)).toBe(false);
    expect(looks).toBe(1);
    expect([await mayRead('src/b.ts', false), await mayRead('src/b.ts', true)]).toEqual([false, false]);
    expect(looks).toBe(2);
  });

  it('puts deny before ask before allow', async () => {
    const { judge } = asker(project, {
      rules: { deny: ['Read(.env)'], ask: ['Edit(./src/a.ts)'], allow: ['Edit', 'Read(.env)', 'Read(//**)'] },
    });
    expect(await judge('Read', '.env')).toEqual({ type: 'deny', why: 'the rule Read(.env) forbids it' });
    expect(await type(judge('Write', '.env'))).toBe('deny');
    expect(await type(judge('Grep', 'sub/.env'))).toBe('deny');
    expect(await type(judge('Edit', 'src/a.ts'))).toBe('ask');
    expect(await type(judge('Edit', 'src/b.ts'))).toBe('allow');
    expect(await type(judge('Read', '/etc/hostname'))).toBe('allow');
  });

  it('takes allow patterns strictly and deny patterns at any depth and in any case', async () => {
    const allow = asker(project, { rules: { allow: ['Edit(src/**)'] } });
    expect(await type(allow.judge('Edit', 'src/deep/b.ts'))).toBe('allow');
    expect(await type(allow.judge('Edit', 'other/src/b.ts'))).toBe('ask');
    const deny = asker(project, { rules: { deny: ['Edit(src/**)'] } });
    expect(await type(deny.judge('Edit', 'other/SRC/b.ts'))).toBe('deny');
  });

  it('anchors //, ~, / and ./', async () => {
    const base = `${project.cwd}/sub`;
    const rules = { allow: [`Edit(/${project.outside}/**)`, 'Edit(~/notes/**)', { rule: 'Edit(/here/**)', base }, 'Edit(./a.ts)'] };
    const { judge } = asker(project, { rules });
    expect(await type(judge('Edit', `${project.outside}/x`))).toBe('allow');
    expect(await type(judge('Edit', `${project.home}/notes/x`))).toBe('allow');
    expect(await type(judge('Edit', 'sub/here/x'))).toBe('allow');
    expect(await type(judge('Edit', 'here/x'))).toBe('ask');
    expect(await type(judge('Edit', 'a.ts'))).toBe('allow');
    expect(await type(judge('Edit', 'src/a.ts'))).toBe('ask');
  });

  it('an allowed link needs its target allowed too; a forbidden target forbids the link', async () => {
    const allow = asker(project, { rules: { allow: ['Read(./link/**)'] } });
    expect(await type(allow.judge('Read', 'link/secret'))).toBe('ask');
    const deny = asker(project, { rules: { deny: [`Read(/${project.outside}/**)`] } });
    expect(await type(deny.judge('Read', 'link/secret'))).toBe('deny');
    expect(await deny.permissions.mayRead(`${project.cwd}/link/secret`)).toBe(false);
    expect(await deny.permissions.mayRead(`${project.cwd}/src/a.ts`)).toBe(true);
  });

  it('suggests a rule that then holds', async () => {
    const { judge, permissions } = asker(project);
    for (const [tool, file] of [
      ['Read', project.outside],
      ['Edit', 'src/[id] *.ts'],
    ] as const) {
      const first = await judge(tool, file);
      expect(first.type).toBe('ask');
      permissions.allow(first.type === 'ask' ? first.rules : []);
      expect(await type(judge(tool, file))).toBe('allow');
    }
    expect(await type(judge('Edit', 'src/i x.ts'))).toBe('ask');
  });

  it('that allow hold for names as they are written, those that deny whatever the case of the letters', async () => {
    const { judge } = asker(project, { rules: { allow: ['Edit(./src/**)'], deny: ['Edit(./docs/**)'] } });
    expect(await type(judge('Edit', 'src/new.ts'))).toBe('allow');
    expect(await type(judge('Edit', 'SRC/new.ts'))).toBe('ask');
    expect(await type(judge('Edit', 'DOCS/new.md'))).toBe('deny');
    // A rule for files says nothing of a call that names none.
    const { permissions } = asker(project, { rules: { allow: ['Edit(./src/**)'] } });
    expect(await type(permissions.judge({ id: 'c', name: 'Edit', input: {} }, fakeTool('Edit', 'write'), {}))).toBe('ask');
    // A rule for all of a folder holds for the folder.
    expect(await type(asker(project, { rules: { deny: ['Read(~)'] } }).judge('Read', project.home))).toBe('deny');
  });

  it('what the person allowed for a session holds for all who share it, in their mode and under their own rules', async () => {
    const granted = new Set<string>();
    const session = asker(project, { granted });
    const agent = asker(project, { granted, mode: 'acceptEdits', rules: { deny: ['Bash(rm:*)'] } });
    const planner = asker(project, { granted, mode: 'plan' });
    agent.permissions.allow(['Bash(npm run test:*)', 'Bash(rm:*)', 'Bash(broken']);
    expect(await type(session.bash('npm run test a'))).toBe('allow');
    expect(await type(agent.bash('rm a'))).toBe('deny');
    expect(await type(planner.bash('npm run test a'))).toBe('deny');
    expect(await type(asker(project).bash('npm run test a'))).toBe('ask');
    expect([...granted]).toEqual(['Bash(npm run test:*)', 'Bash(rm:*)']);
    expect(agent.permissions.problems).toHaveLength(1);
  });
});

describe('modes', () => {
  it('that change while a call is judged count', async () => {
    let asked = 0;
    const { judge } = asker(project, { mode: () => (asked++ === 0 ? 'bypassPermissions' : 'default') });
    expect(await type(judge('Edit', 'src/new.ts'))).toBe('ask');
  });

  const cases = {
    default: ['allow', 'ask', 'ask', 'allow', 'deny', 'ask'],
    auto: ['allow', 'allow', 'allow', 'allow', 'deny', 'ask'],
    acceptEdits: ['allow', 'allow', 'ask', 'allow', 'deny', 'ask'],
    plan: ['allow', 'deny', 'deny', 'allow', 'deny', 'deny'],
    dontAsk: ['allow', 'deny', 'deny', 'allow', 'deny', 'deny'],
    bypassPermissions: ['allow', 'allow', 'allow', 'allow', 'deny', 'ask'],
  } as const;
  for (const [mode, expected] of Object.entries(cases)) {
    it(mode, async () => {
      let now: Mode = 'default';
      const { judge, bash } = asker(project, { mode: () => now, rules: { deny: ['Bash(curl:*)'], ask: ['Bash(git push:*)'] } });
      now = MODES.find((one) => one === mode) ?? 'default';
      const seen = [
        judge('Read', 'src/a.ts'),
        judge('Write', 'src/a.ts'),
        bash('npm test'),
        bash('ls src'),
        bash('curl x'),
        bash('git push'),
      ];
      expect(await Promise.all(seen.map(type))).toEqual(expected);
    });
  }

  it('plan mode does not run what the rules would allow', async () => {
    expect(await type(asker(project, { mode: 'plan', rules: { allow: ['Bash(npm test:*)', 'Bash', 'Edit'] } }).bash('npm test'))).toBe(
      'deny',
    );
  });
});

describe('rules', () => {
  it('names what it could not read', () => {
    const { permissions } = asker(project, { rules: { allow: ['Read(!x)', 'rm -rf', 'TodoWrite(x)'], deny: ['Bash(rm:*)'] } });
    expect(permissions.problems).toHaveLength(3);
    expect(permissions.problems[1]).toContain('"rm -rf"');
  });

  it('a former name of a tool counts, and words behind a skill are any', async () => {
    const { judge } = createPermissions({
      cwd: project.cwd,
      home: project.home,
      mode: 'default',
      rules: { deny: ['Task(Explore)', 'Skill(deploy *)', 'skill(push:*)'] },
    });
    const decide = async (name: string, input: object) => (await judge({ id: '', name, input }, fakeTool(name, 'read'), input)).type;
    expect(await decide('Agent', { subagent_type: 'Explore' })).toBe('deny');
    expect(await decide('Agent', { subagent_type: 'Plan' })).not.toBe('deny');
    for (const skill of ['deploy', 'push']) expect(await decide('Skill', { skill })).toBe('deny');
    expect(await decide('Skill', { skill: 'deployer' })).not.toBe('deny');
  });

  it('mcp__server stands for all its tools', async () => {
    for (const rule of ['mcp__db', 'mcp__db__*', 'mcp__db__query']) {
      const { judge } = asker(project, { rules: { allow: [rule] } });
      expect(await type(judge('mcp__db__query', 'x'))).toBe('allow');
      expect(await type(judge('mcp__dbx__query', 'x'))).toBe('ask');
    }
    expect(await type(asker(project, { rules: { allow: ['mcp__db__query'] } }).judge('mcp__db__query__all', 'x'))).toBe('ask');
    expect(await asker(project).judge('mcp__db__query', 'x')).toMatchObject({ type: 'ask', rules: ['mcp__db__query'] });
  });
});

describe('rules that are granted for one call', () => {
  it('allow what they name, that time; a deny rule is stronger, and one that can’t be read allows nothing', async () => {
    const { judge } = asker(project, { rules: { deny: ['Bash(make clean)'] } });
    expect(await type(judge('Bash', 'make site', ['Bash(make:*)', 'rm -rf']))).toBe('allow');
    expect(await type(judge('Bash', 'make clean', ['Bash(make:*)']))).toBe('deny');
    expect(await type(judge('Bash', 'make site'))).toBe('ask');
    expect(await type(judge('Read', project.outside, [`Read(/${project.outside}/**)`, `Read(/${project.outside})`]))).toBe('allow');
    expect(await type(judge('Read', project.outside))).toBe('ask');
  });
});
