/** The lists of auto mode and the limits of plan mode, call by call. */
import { symlink, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mode } from './contract.js';
import { asker, fakeTool, makeProject, type Project } from './permissions.testing.js';

let project: Project;
beforeAll(async () => {
  project = await makeProject();
});
afterAll(() => project.remove());

const type = async (decision: Promise<{ type: string }>) => (await decision).type;

describe('auto mode', () => {
  const lines: Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>> = {
    allow: [
      'npm test',
      'npm run test:unit',
      'npm run build && git add -A',
      'cargo clippy',
      'git commit -m x',
      'make',
      'mkdir src/new',
      'ls',
      'npm test -- src/a.ts --out=src/b',
      'git switch -c fix origin/main',
      'git mv src/a.ts src/b.ts',
      'git commit -m "$(cat <<\'EOF\'\nfix: it\nEOF\n)"',
    ],
    ask: [
      'npm install x',
      'git push',
      'curl example.com',
      'npm run deploy',
      'node x.js',
      'npm test; node x.js',
      'rm src/a.ts',
      'touch ../x',
      // Words that lead outside, however they are written.
      'prettier --write ~/notes.md',
      'prettier --write "$HOME/notes.md"',
      'gofmt -w ../other',
      'make -C/etc all',
      'make -C link/..',
      'eslint --output-file=/etc/x src',
      'npm test --prefix src/../../other',
      'git commit -F /etc/hosts',
    ],
    deny: [
      'sudo ls',
      'git push --force',
      'git push origin main --force',
      'git reset --hard HEAD~1',
      'git switch -f main',
      'git switch main -qf',
      'git switch --discard main',
      'git checkout -b x --force',
      'git mv -kf src/a.ts src/b.ts',
      'npm test && git clean -fd',
      'rm -rf src',
      'rm src -rf',
      'npm publish',
      'sh -c "git checkout -- ."',
      'env A=1 npm publish',
      'chmod -R 777 .',
    ],
  };
  for (const [expected, commands] of Object.entries(lines)) {
    for (const command of commands) {
      it(`${expected}: ${command}`, async () => {
        expect(await asker(project, { mode: 'auto' }).bash(command)).toMatchObject({ type: expected });
      });
    }
  }

  it('comes behind the person’s own rules, both ways', async () => {
    const { bash } = asker(project, {
      mode: 'auto',
      rules: { allow: ['Bash(git push:*)'], ask: ['Bash(npm test:*)'], deny: ['Bash(make:*)'] },
    });
    expect(await type(bash('git push --force'))).toBe('allow');
    expect(await bash('npm test')).toMatchObject({ type: 'ask', byRule: true });
    expect(await type(bash('make'))).toBe('deny');
  });

  it('writes inside, but not what configures programs; believes a server that its tool only reads', async () => {
    const { judge, permissions } = asker(project, { mode: 'auto' });
    expect(await type(judge('Write', 'src/a.ts'))).toBe('allow');
    expect(await type(judge('Write', '.git/hooks/pre-commit'))).toBe('ask');
    expect(await type(judge('Write', '../out.txt'))).toBe('ask');
    const of = (access: 'read' | 'execute') =>
      type(permissions.judge({ id: 'c', name: 'mcp__s__t', input: {} }, fakeTool('mcp__s__t', access), {}));
    expect(await of('read')).toBe('allow');
    expect(await of('execute')).toBe('ask');
  });
});

describe('plan mode', () => {
  it('refuses tools of servers that may change something, whatever rules allow; those that only read keep their rules', async () => {
    const { permissions } = asker(project, { mode: 'plan', rules: { allow: ['mcp__s'] } });
    const of = (name: string, access: 'read' | 'execute') =>
      type(permissions.judge({ id: 'c', name, input: {} }, fakeTool(name, access), {}));
    expect(await of('mcp__s__t', 'execute')).toBe('deny');
    expect(await of('mcp__s__t', 'read')).toBe('allow');
    expect(await of('mcp__other__t', 'read')).toBe('ask');
  });

  it('lets the plan file be written, and nothing through a link in its place', async () => {
    const plans = path.join(project.home, 'plans');
    await mkdir(plans, { recursive: true });
    const planFile = path.join(plans, 'plan.md');
    const { judge } = asker(project, { mode: 'plan', planFile });
    expect(await judge('Write', planFile)).toMatchObject({ type: 'allow', why: 'it is the plan' });
    expect(await type(judge('Write', path.join(plans, 'other.md')))).toBe('deny');
    expect(await type(judge('Write', `${plans}/../plans/plan.md`))).toBe('allow');
    await writeFile(path.join(project.home, 'target'), '');
    await symlink(path.join(project.home, 'target'), planFile);
    expect(await type(judge('Write', planFile))).toBe('deny');
  });

  it('reads the plan file in every mode, and writes it in no other; rules against it hold', async () => {
    const planFile = path.join(project.home, 'plans-2/plan.md');
    expect(await type(asker(project, { planFile }).judge('Read', planFile))).toBe('allow');
    expect(await type(asker(project, { planFile }).judge('Write', planFile))).toBe('ask');
    const banned = asker(project, { mode: 'plan', planFile, rules: { deny: [`Edit(/${planFile})`] } });
    expect(await type(banned.judge('Write', planFile))).toBe('deny');
  });

  it('counts from the moment on in which it is entered, also for a call that is being judged', async () => {
    let mode: Mode = 'acceptEdits';
    const { bash } = asker(project, { mode: () => mode });
    const judged = bash('mkdir src/later');
    mode = 'plan';
    expect(await type(judged)).toBe('deny');
  });
});
