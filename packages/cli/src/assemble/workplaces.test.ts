/** What an agent that works in a mode of its own has in common with its session. */
import type { Ask } from '@sidenote/agent';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import type { Conversation } from '../conversation.js';
import { parseFlags } from '../flags/parse.js';
import { loopbackModel, say, use, type LoopbackModel } from '../print/loopback-model.testing.js';
import { assemble } from './assemble.js';
import { createModels } from './models.js';
import { setUp } from './set-up.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
let conversation: Conversation | undefined;
afterEach(async () => {
  await conversation?.close();
  await model?.close();
  await project?.remove();
});

it('asks once for what the person allows for the session, whichever agent runs it and in whatever mode or folder for memories', async () => {
  const touch = use('Bash', { command: 'touch made' });
  const agent = (type: string) => use('Agent', { description: type, prompt: 'SUB', subagent_type: type });
  model = await loopbackModel([
    [agent('eager')],
    [touch],
    [say('made')],
    [touch],
    [agent('knowing')],
    [touch],
    [say('made')],
    [say('all made')],
  ]);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.put({
    '../home/.claude/agents/eager.md': '---\nname: eager\ndescription: x\npermissionMode: acceptEdits\n---\nWork.\n',
    '../home/.claude/agents/knowing.md': '---\nname: knowing\ndescription: x\nmemory: user\n---\nWork.\n',
  });
  const setup = await setUp(project.io(), parseFlags([]));
  const asked: string[] = [];
  const ask: Ask = async ({ title }) => (asked.push(title), { type: 'session' });
  conversation = await assemble(setup, createModels(setup.io.env, { cwd: project.cwd, profile: setup.profile }), { ask });
  for await (const event of conversation.agent.run('go')) void event;
  expect(model.bodies).toHaveLength(8);
  expect(asked).toEqual(['Bash touch made']);
});
