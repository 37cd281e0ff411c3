/** Settings that change under a running session, as a process with a loopback model sees them. */
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

const settings = (permissions: object) => JSON.stringify({ permissions });

it('a rule that denies counts at once and stays, one that allows does not, and the person is told', async () => {
  const write = (permissions: object) => use('Bash', { command: `printf '%s' '${settings(permissions)}' > .claude/settings.json` });
  const server = await loopbackModel([
    [use('Read', { file_path: 'a.txt' })],
    [write({ allow: ['Bash'], deny: ['Read(./a.txt)'] })],
    [use('Read', { file_path: 'a.txt', offset: 1, limit: 1 })],
    [use('Bash', { command: 'touch allowed' })],
    [write({ deny: [] })],
    [use('Read', { file_path: 'a.txt', offset: 1, limit: 2 })],
    [say('done')],
  ]);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
  [model, project] = [server, made];
  await made.put({ 'a.txt': 'one\ntwo\n', '.claude/settings.json': settings({}) });
  const ran = await made.run('-p', 'go', '--trust', '--allowedTools', 'Bash(printf:*)', 'Edit(.claude/**)');
  const results = (
    server.bodies.at(-1) as { messages: { content: { type: string; is_error?: boolean; content: { text: string }[] }[] }[] }
  ).messages
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === 'tool_result')
    .map(
      ({ is_error: isError = false, content }) =>
        `${isError} ${content
          .map(({ text }) => text)
          .join(' ')
          .slice(0, 60)}`,
    );
  expect(results).toEqual([
    expect.stringContaining('one'),
    expect.stringMatching(/^false/),
    expect.stringContaining('true Not allowed: the rule Read(./a.txt) forbids it'),
    expect.stringMatching(/^true Not allowed: /),
    expect.stringMatching(/^false/),
    expect.stringContaining('true Not allowed: the rule Read(./a.txt) forbids it'),
  ]);
  const line = 'settings were changed (.claude/settings.json): rules that deny or ask count from now on, all else at the next start';
  expect(ran.err.split(line)).toHaveLength(3);
});

it('says of settings that are written wrong what is wrong with them, once', async () => {
  const write = (text: string) => use('Bash', { command: `printf '%s' '${text}' > .claude/settings.json` });
  const server = await loopbackModel([
    [write('{ "permissions": ')],
    [use('Read', { file_path: 'a.txt' })],
    [write(settings({ deny: ['not a rule', 'Read(./a.txt)'] }))],
    [use('Read', { file_path: 'a.txt' })],
    [use('Read', { file_path: 'a.txt' })],
    [say('done')],
  ]);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
  [model, project] = [server, made];
  await made.put({ 'a.txt': 'one\n', '.claude/settings.json': settings({ deny: ['Read(./b.txt)'] }) });
  const { err } = await made.run('-p', 'go', '--trust', '--allowedTools', 'Bash(printf:*)', 'Edit(.claude/**)');
  expect(err.match(/settings\.json:1: not valid JSON/g)).toHaveLength(1);
  expect(err.match(/The permission rule "not a rule" of .*settings\.json was left out/g)).toHaveLength(1);
});
