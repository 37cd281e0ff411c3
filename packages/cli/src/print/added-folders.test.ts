import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rememberProject } from '@sidenote/node';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const skill = (name: string): Reply => [use('Skill', { skill: name })];
const task: Reply = [use('Agent', { description: 'a task', prompt: 'SUB go', subagent_type: 'helper' })];

const OTHER = {
  '.claude/skills/far/SKILL.md':
    '---\ndescription: FAR-MARK\nhooks:\n  Stop: [{ hooks: [{ type: command, command: "echo STOP >> $HOME/log" }] }]\n---\nFAR-BODY\n',
  '.claude/skills/both/SKILL.md': '---\ndescription: OTHER-BOTH\n---\n',
  '.claude/commands/say.md': 'SAY-BODY $ARGUMENTS !`echo ran`\n',
  '.claude/agents/helper.md': '---\nname: helper\ndescription: HELPER-MARK\npermissionMode: acceptEdits\n---\nHELPER-BODY\n',
};

async function set(replies: readonly Reply[]) {
  model = await loopbackModel(replies);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  const { cwd, home, put, run } = project;
  await put({ '.claude/skills/both/SKILL.md': '---\ndescription: OWN-BOTH\n---\n' });
  for (const [name, text] of Object.entries(OTHER)) {
    const path = join(dirname(cwd), 'other', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const log = async (): Promise<string> => readFile(join(home, 'log'), 'utf8').catch(() => '');
  const trust = (name: string): Promise<unknown> =>
    rememberProject({ cwd: join(dirname(cwd), name), configDir: join(home, '.sidenote'), answers: { trusted: true } });
  return { run, log, put, trust, body: (n: number): string => JSON.stringify(model?.bodies.at(n)) };
}

it('skills, commands and agents of an added folder are there, behind those of the project', async () => {
  const { run, body, log } = await set([skill('far'), task, [say('helped')], [say('done')], [say('said')]]);
  const { out, err } = await run('-p', 'go', '--add-dir', '../other', '--trust');
  expect(out).toBe('done\n');
  expect(err).not.toContain('left out');
  expect(body(0)).toContain('- far: FAR-MARK');
  expect(body(0)).toContain('OWN-BOTH');
  expect(body(0)).not.toContain('OTHER-BOTH');
  expect(body(0)).toContain('helper: HELPER-MARK');
  expect(body(1)).toContain('FAR-BODY');
  expect(body(2)).toContain('HELPER-BODY');
  expect(await log()).toBe('STOP\n');
  await run('-p', '/say it', '--add-dir', '../other', '--trust');
  expect(body(4)).toContain('SAY-BODY it ran');
});

it('they are as trusted as their own folder: its text counts, and nothing that it runs or allows', async () => {
  const { run, body, log } = await set([skill('far'), [say('done')]]);
  const { err } = await run('-p', 'go', '--add-dir', '../other');
  expect(body(1)).toContain('FAR-BODY');
  expect(await log()).toBe('');
  expect(err).toContain('far/SKILL.md:3: its hooks run only once this folder is trusted');
  expect(err).toContain('helper.md:4: `permissionMode: acceptEdits` counts only once this folder is trusted');
  expect((await run('-p', '/say it', '--add-dir', '../other')).err).toContain('this folder is not trusted to run commands');
});

it('hooks that a session has from one run only while its own folder is trusted', async () => {
  const { run, log, trust } = await set([skill('far'), [say('done')], [say('again')], [say('and again')]]);
  await run('-p', 'go', '--add-dir', '../other', '--trust');
  expect(await log()).toBe('STOP\n');
  await trust('project');
  const { err } = await run('-c', '-p', 'more', '--add-dir', '../other');
  expect(await log()).toBe('STOP\n');
  expect(err).toContain('far/SKILL.md:3: its hooks run only once this folder is trusted');
  expect(err).toContain('helper.md:4: `permissionMode: acceptEdits` counts only once this folder is trusted');
  await trust('other');
  await run('-c', '-p', 'more', '--add-dir', '../other');
  expect(await log()).toBe('STOP\nSTOP\n');
});

it('a folder in a project that is trusted is a part of it', async () => {
  const { run, body, put, trust } = await set([[say('said')]]);
  await put({ 'inner/.claude/commands/tell.md': 'TELL-BODY !`echo ran`\n' });
  expect((await run('-p', '/tell', '--add-dir', 'inner')).err).toContain('this folder is not trusted to run commands');
  await trust('project');
  await run('-p', '/tell', '--add-dir', 'inner');
  expect(body(0)).toContain('TELL-BODY ran');
});

it('without the flag, and in a bare run, there are none', async () => {
  const { run, body } = await set([[say('done')], [say('done')]]);
  await run('-p', 'go');
  await run('-p', 'go', '--add-dir', '../other', '--bare');
  for (const n of [0, 1]) expect(body(n)).not.toMatch(/FAR-MARK|HELPER-MARK/);
});
