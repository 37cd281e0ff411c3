import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WireBlock } from '@sidenote/engine';
import { call, say } from '@sidenote/engine/testing';
import { SkillLibrary } from '@sidenote/node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drain, ended, setUp } from '../loop/agent.testing.js';
import { createPermissions } from '../permissions/permissions.js';
import { createSkillLoader } from '../skills/skill-loader.js';
import { createTasks } from '../tasks/tasks.js';
import { bashTool } from './bash.js';
import { readTool } from './read.js';
import { skillTool } from './skill.js';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'skill-tool-')));
  await mkdir(join(root, 'project/.git'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));

async function put(name: string, text: string): Promise<string> {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

type Call = Parameters<typeof call>;

/** Makes these calls, one per step, and gives what the model was told of each. */
async function results(calls: readonly (Call | string)[], trusted = true) {
  const [cwd, home, outputDir] = [join(root, 'project'), join(root, 'home'), join(root, 'output')];
  const env = { PATH: process.env['PATH'], HOME: home };
  const permissions = createPermissions({ cwd, home, mode: 'default', rules: {}, trusted });
  const tasks = createTasks({ folder: outputDir, onEnd: () => undefined });
  const library = new SkillLibrary({ cwd, home, env, trusted, managed: { folders: [] } });
  const plain = { cwd, env, home, outputDir, tasks };
  const skills = createSkillLoader({ library, permissions, environment: plain, sessionId: 'session-1' });
  const turns = calls.map((one) => (typeof one === 'string' ? ended(say(one)) : ended(call(...one))));
  const { agent, sent } = await setUp(turns, {
    tools: [skillTool(skills), readTool(plain), bashTool(plain)],
    permissions,
  });
  await drain(agent.run('go'));
  while (sent.length < calls.length) await drain(agent.run('go on'));
  await tasks.dispose();
  const blocks = sent.at(-1)?.messages.flatMap((message): WireBlock[] => message.content) ?? [];
  return blocks.flatMap((block) => (block.type === 'tool_result' ? [JSON.stringify(block.content).replaceAll('\\n', '\n')] : []));
}

it('gives the text once, and a pointer while it stands there unchanged', async () => {
  await put('project/.claude/skills/one/SKILL.md', '---\ndescription: x\n---\nUse one worker for $ARGUMENTS in ${CLAUDE_SESSION_ID}.\n');
  const load: Call = ['Skill', { skill: 'one', args: 'a' }];
  const [first, second, other] = await results([load, load, ['Skill', { skill: '/one', args: 'b' }]]);
  expect(first).toContain('Use one worker for a in session-1.');
  expect(second).toContain('loaded already');
  expect(other).toContain('Use one worker for b');
});

it('names what was meant, who may start it, and why it is not there', async () => {
  await put('project/.claude/skills/deploy/SKILL.md', 'x');
  await put('project/.claude/skills/typed/SKILL.md', '---\ndisable-model-invocation: true\n---\nx');
  const told = await results([
    ['Skill', { skill: 'deplyo' }],
    ['Skill', { skill: 'zzzzzz' }],
    ['Skill', { skill: 'typed' }],
    ['Skill', { skill: '../../deploy' }],
  ]);
  expect(told[0]).toContain('There is no skill deplyo; did you mean deploy?');
  expect(told[1]).toContain('There is no skill zzzzzz. There are deploy.');
  expect(told[2]).toContain('Only the user starts typed, by typing /typed.');
  expect(told[3]).toContain('There is no skill ../../deploy');
});

it('what it allows counts until the turn ends, and its files may be read', async () => {
  const reference = await put('home/.claude/skills/make/references/how.md', 'READ-ME\n');
  await put('home/.claude/skills/make/SKILL.md', '---\nallowed-tools: Bash(touch:*)\n---\nSee references/how.md\n');
  const touch: Call = ['Bash', { command: 'touch made' }];
  const told = await results([
    touch,
    ['Skill', { skill: 'make' }],
    touch,
    ['Read', { file_path: reference }],
    'done',
    touch,
    ['Skill', { skill: 'make' }],
    touch,
  ]);
  expect(told.map((text) => /Not allowed/.test(text))).toEqual([true, false, false, false, true, false, false]);
  expect(told[1]).toContain('references/how.md.');
  expect(told[3]).toContain('READ-ME');
  expect(told[5]).toContain('loaded already');
});

it('its commands run under the rules of Bash, and one that fails loads nothing', async () => {
  await put('project/.claude/skills/fine/SKILL.md', 'Now: !`echo forty-two`\n');
  await put('project/.claude/skills/asks/SKILL.md', 'Now: !`touch x`\n');
  await put('project/.claude/skills/allowed/SKILL.md', '---\nallowed-tools: Bash(touch:*)\n---\nNow: !`touch x`.\n');
  await put('project/.claude/skills/fails/SKILL.md', 'Now: !`cat not-there`\n');
  const names = ['fine', 'asks', 'allowed', 'fails'];
  const calls = names.map((skill): Call => ['Skill', { skill }]);
  const told = await results(calls);
  expect(told[0]).toContain('Now: forty-two');
  expect(told[1]).toMatch(/asks was not loaded: .* it may not run: .*; name it in allowed-tools/);
  expect(told[2]).toContain('Now: .');
  expect(told[3]).toMatch(/fails was not loaded: .*`cat not-there`, and it ended with exit code 1: .*not-there/);
  for (const text of (await results(calls.slice(0, 1), false)).slice(0, 1)) expect(text).toContain('not trusted to run commands');
});
