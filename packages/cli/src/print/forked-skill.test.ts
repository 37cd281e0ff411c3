import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type Block, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const skill = (name: string, args?: string): Reply => [use('Skill', { skill: name, ...(args === undefined ? {} : { args }) })];

async function set(replies: readonly Reply[], files: Readonly<Record<string, string>>) {
  model = await loopbackModel(replies);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.put(files);
  const { bodies } = model;
  return { ...project, bodies, body: (n: number): string => JSON.stringify(bodies.at(n)) };
}

const DIG = `---
description: Digs through the history.
context: fork
agent: digger
allowed-tools: Bash(touch:*), Bash(echo:*)
hooks:
  PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: "echo HOOK-MARK >&2; exit 2", if: Bash(touch stop) }] }]
---
DIG-BODY for $ARGUMENTS
`;
const FILES = {
  '.claude/skills/dig/SKILL.md': DIG,
  '.claude/agents/digger.md': '---\nname: digger\ndescription: Digs.\ntools: Bash\n---\nDIGGER-PROMPT\n',
};

it('the text is the task of an agent, with what the skill allows and its hooks; the answer is the result', async () => {
  const bash = (command: string): Reply => [use('Bash', { command })];
  const { run, bodies, body } = await set(
    [skill('dig', 'x'), bash('touch dug; echo DUG-MARK'), bash('touch stop'), [say('FOUND-MARK')], bash('touch no'), [say('done')]],
    FILES,
  );
  const { out, status } = await run('-p', 'go', '--trust');
  expect({ out, status }).toEqual({ out: 'done\n', status: 0 });
  expect(JSON.stringify(bodies[1]?.['system'])).toContain('DIGGER-PROMPT');
  expect(bodies[1]?.['tools']).toMatchObject([{ name: 'Bash' }]);
  expect(body(1)).toContain('DIG-BODY for x');
  expect(body(2)).toContain('DUG-MARK');
  expect(body(3)).toContain('HOOK-MARK');
  expect(body(4)).toContain('FOUND-MARK');
  expect(body(4)).not.toContain('DIG-BODY');
  expect(body(5)).toContain('Not allowed');
});

it('typed, the agent works first, and its answer goes along with the words', async () => {
  const { run, bodies, body } = await set([[say('FOUND-MARK')], [say('told')]], FILES);
  const { out, err } = await run('-p', '/dig here', '--trust');
  expect(out).toBe('told\n');
  expect(err).toContain('/dig here is the task of an agent (digger)');
  expect(bodies).toHaveLength(2);
  expect(body(0)).toContain('DIG-BODY for here');
  expect(body(1)).toContain('"/dig here"');
  expect(body(1)).toContain('FOUND-MARK');
  expect(body(1)).not.toContain('DIG-BODY');
});

it('says why no agent was started', async () => {
  const files = {
    '.claude/skills/lost/SKILL.md': '---\ndescription: x\ncontext: fork\nagent: nobody\n---\nLOST\n',
    '.claude/skills/copy/SKILL.md': '---\ndescription: x\ncontext: fork\nagent: fork\n---\nCOPY-BODY\n',
    '.claude/skills/odd/SKILL.md': '---\ndescription: x\ncontext: main\n---\nODD\n',
  };
  const { run, body } = await set([skill('lost'), skill('copy'), [say('copied')], [say('done')], skill('copy'), [say('done')]], files);
  const { err } = await run('-p', 'go');
  expect(err).toContain('odd/SKILL.md:3: "context" can only be fork, and not main');
  expect(body(1)).toContain('The skill lost runs in an agent, and none was started: There is no agent type nobody.');
  expect(body(2)).toContain('COPY-BODY');
  expect(body(3)).toContain('copied');
  await run('-p', 'go', '--disallowedTools', 'Agent');
  expect(body(5)).toContain('The skill copy runs in an agent, and none was started: there are no agents here.');
  expect((await run('-p', '/lost')).err).toContain('There is no agent type nobody');
  await run('-p', '/copy');
  expect(body(6)).toContain('COPY-BODY');
});

it('is no way around a definition that gives an agent no agents', async () => {
  const { run, bodies, body } = await set(
    [[use('Agent', { description: 'x', prompt: 'look', subagent_type: 'looker' })], skill('dig'), [say('could not')], [say('done')]],
    { ...FILES, '.claude/agents/looker.md': '---\nname: looker\ndescription: Looks.\ntools: Read, Skill\n---\nLOOKER\n' },
  );
  await run('-p', 'go', '--trust');
  expect(body(2)).toContain('The skill dig runs in an agent, and none was started: The definition of looker gives it no agents.');
  expect(bodies).toHaveLength(4);
});

it('files beside the skill may be read, wherever it lies, and none above it', async () => {
  const read = (name: string): Block => use('Read', { file_path: `~/.claude/skills/${name}` });
  const { run, body } = await set([skill('far'), [read('far/table.md'), read('other.md')], [say('read')], [say('done')]], {
    '../home/.claude/skills/far/SKILL.md': '---\ndescription: x\ncontext: fork\n---\nFAR-BODY\n',
    '../home/.claude/skills/far/table.md': 'TABLE-MARK\n',
    '../home/.claude/skills/other.md': 'OTHER-MARK\n',
  });
  await run('-p', 'go');
  expect(body(2)).toContain('TABLE-MARK');
  expect(body(2)).not.toContain('OTHER-MARK');
});
