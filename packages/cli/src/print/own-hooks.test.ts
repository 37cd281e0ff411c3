import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel, type Reply } from './loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const echo = (): Reply => [use('Bash', { command: 'echo ran' })];
const skill = (name: string): Reply => [use('Skill', { skill: name })];
const task = (type: string): Reply => [use('Agent', { description: 'a task', prompt: 'SUB go', subagent_type: type })];

async function set(replies: readonly Reply[], files: Readonly<Record<string, string>>) {
  model = await loopbackModel(replies);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.put({ '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash(echo:*)'] } }), ...files });
  const { home, run } = project;
  const body = (n: number): string => JSON.stringify(model?.bodies.at(n));
  const log = async (): Promise<readonly string[]> =>
    (await readFile(join(home, 'log'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return { body, log, home, run };
}

const logs = (mark: string) => `"echo ${mark} >> $HOME/log"`;
const GUARD = `---
description: Guards commands.
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ${logs('PRE')}
        - type: command
          command: "echo '{\\"hookSpecificOutput\\":{\\"hookEventName\\":\\"PreToolUse\\",\\"additionalContext\\":\\"GUARD-MARK\\"}}'"
  Stop:
    - hooks: [{ type: command, command: ${logs('STOP')} }]
---
GUARD-BODY
`;

it('hooks of a skill run while its text stands in the window, in a resumed session too', async () => {
  const { run, body, log } = await set([echo(), skill('guard'), echo(), [say('done')], echo(), [say('again')]], {
    '.claude/skills/guard/SKILL.md': GUARD,
  });
  const { err } = await run('-p', 'go', '--trust');
  expect(err).not.toMatch(/hook/i);
  expect(await log()).toEqual(['PRE', 'STOP']);
  expect(body(1)).not.toContain('GUARD-MARK');
  expect(body(3).split('GUARD-MARK')).toHaveLength(2);
  await run('-p', '--continue', 'more', '--trust');
  expect(await log()).toEqual(['PRE', 'STOP', 'PRE', 'STOP']);
  await run('-p', '--continue', 'once more');
  await run('-p', '--continue', 'and again', '--trust', '--bare');
  expect(await log()).toHaveLength(4);
});

it('of a typed skill, too', async () => {
  const { run, log } = await set([echo(), [say('done')]], { '.claude/skills/guard/SKILL.md': GUARD });
  await run('-p', '/guard', '--trust');
  expect(await log()).toEqual(['PRE', 'STOP']);
});

it('hooks of an agent run while it does: its Stop is the end of the agent, and they are told who it is', async () => {
  const agent = `---
name: reviewer
description: Reviews.
hooks:
  SubagentStart: [{ hooks: [{ type: command, command: ${logs('START')} }] }]
  PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: ${logs('PRE')} }] }]
  Stop: [{ hooks: [{ type: command, command: "cat >> $HOME/stop" }] }]
---
AGENT-BODY
`;
  const { run, log, home } = await set([echo(), task('reviewer'), echo(), [say('sub answer')], echo(), [say('done')]], {
    '.claude/agents/reviewer.md': agent,
  });
  const { err } = await run('-p', 'go', '--trust');
  expect(err).not.toMatch(/hook/i);
  expect(await log()).toEqual(['START', 'PRE']);
  const told = JSON.parse(await readFile(join(home, 'stop'), 'utf8')) as Record<string, unknown>;
  expect(told).toMatchObject({ hook_event_name: 'SubagentStop', agent_type: 'reviewer', last_assistant_message: 'sub answer' });
});

it('a session that runs as an agent has its hooks', async () => {
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo STOP >> $HOME/log' }] }] };
  const { run, log } = await set([[say('done')], [say('done')]], {});
  const agents = JSON.stringify({ own: { description: 'x', prompt: 'y', hooks } });
  await run('-p', 'go', '--agents', agents, '--agent', 'own');
  expect(await log()).toEqual(['STOP']);
});

it('a folder that nobody trusts runs none, and a person is told', async () => {
  const { run, log } = await set([skill('guard'), echo(), task('reviewer'), [say('sub')], [say('done')]], {
    '.claude/skills/guard/SKILL.md': GUARD,
    '.claude/agents/reviewer.md': `---\nname: reviewer\ndescription: x\nhooks:\n  SubagentStart: [{ hooks: [{ type: command, command: ${logs('START')} }] }]\n---\n`,
  });
  const { err } = await run('-p', 'go');
  expect(await log()).toEqual([]);
  expect(err).toContain('SKILL.md:3: its hooks run only once this folder is trusted');
  expect(err).toContain('reviewer.md:4: `hooks` counts only once this folder is trusted; it was left out');
});

it('what can’t run is said with its place, and switched off is switched off', async () => {
  const { run, log } = await set([skill('guard'), echo(), [say('done')]], {
    '.claude/skills/guard/SKILL.md': GUARD,
    '.claude/skills/bad/SKILL.md': '---\ndescription: x\nhooks:\n  Stopp: []\n---\n',
    '.claude/skills/worse/SKILL.md': '---\ndescription: x\nhooks: yes please\n---\n',
  });
  const { err } = await run('-p', 'go', '--trust', '--settings', '{"disableAllHooks": true}');
  expect(await log()).toEqual([]);
  expect(err).toContain('bad/SKILL.md:3: "hooks.Stopp": there is no such event; did you mean "Stop"?');
  expect(err).toContain('worse/SKILL.md:3: `hooks` is no table of hooks by event');
});
