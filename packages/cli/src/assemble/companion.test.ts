import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { parseFlags } from '../flags/parse.js';
import { loopbackModel, type LoopbackModel } from '../print/loopback-model.testing.js';
import { assemble } from './assemble.js';
import { createModels } from './models.js';
import { setUp } from './set-up.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

async function opened(settings: string, args: readonly string[] = []) {
  const server = await loopbackModel([]);
  const made = await testProject();
  [model, project] = [server, made];
  await made.put({ '.claude/settings.json': settings });
  const io = {
    args,
    env: { PATH: process.env['PATH'], HOME: made.home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' },
    cwd: made.cwd,
    home: made.home,
    stdin: (async function* () {})(),
    stdout: { write: () => {} },
    stderr: { write: () => {} },
    signal: new AbortController().signal,
  };
  const setup = await setUp(io, parseFlags(args));
  const conversation = await assemble(setup, createModels(setup.io.env, { cwd: made.cwd, profile: setup.profile }), {});
  const say = async (words: string) => {
    for await (const event of conversation.agent.run(words)) void event;
    return JSON.stringify(server.bodies.at(-1)?.['messages']);
  };
  return { conversation, say };
}

it('is introduced once in a session on a terminal, as plain ASCII', async () => {
  const { conversation, say } = await opened('{"companion":{"name":"Pip\\u001b[31m","figure":"(ö_o)"}}');
  expect(conversation.companion).toEqual({ name: 'Pip[31m', figure: '(_o)' });
  expect((await say('one')).split("A small figure named Pip[31m is drawn beside the person's input line.")).toHaveLength(2);
  expect((await say('two')).split('A small figure')).toHaveLength(2);
  await conversation.close();
});

it('is not there unless it is asked for, nor where nobody sees it', async () => {
  const without = await opened('{}');
  expect(await without.say('one')).not.toContain('figure');
  await without.conversation.close();
  await model?.close();
  await project?.remove();
  const printing = await opened('{"companion":{"name":"Pip"}}', ['-p', 'go']);
  expect(printing.conversation.companion).toBeUndefined();
  expect(await printing.say('one')).not.toContain('figure');
  await printing.conversation.close();
});
