import { afterEach, beforeEach, expect, it } from 'vitest';
import { loopbackModel, type LoopbackModel } from '../../print/loopback-model.testing.js';
import { testProject, type TestProject } from '../run.testing.js';
import type { ComparedRequest } from './text.js';

let project: TestProject;
let model: LoopbackModel;
beforeEach(async () => {
  model = await loopbackModel([
    [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a.txt' } }],
    [{ type: 'text', text: 'Read.' }],
    [{ type: 'text', text: 'Again.' }],
  ]);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.put({ 'a.txt': 'alpha\n' });
});
afterEach(async () => {
  await model.close();
  await project.remove();
});

const compared = async (...words: string[]): Promise<ComparedRequest> => JSON.parse((await project.run('diff', '--json', ...words)).out);

it('tells what each request has beyond the one before it, and what its cache gave', async () => {
  await project.run('-p', 'Read a.txt');
  const first = await compared('1');
  expect(first).toMatchObject({ number: 1, of: 2, diff: { before: null } });
  const second = await compared();
  expect(second).toMatchObject({
    number: 2,
    of: 2,
    diff: { cause: null, changed: [], damaged: null },
    account: { predicted: { read: 100 } },
  });
  expect(second.diff.appended.map(({ owner }) => `${owner.type} ${owner.name}`)).toContain('result Read');
  const { out } = await project.run('diff', first.session.slice(0, 8), '2');
  expect(out).toContain('the same prefix as the request before it');
  expect(out).toMatch(/messages\[2\]\.content\[0\] {2}result Read: \d+ characters/);
  expect(out).toContain('predicted: 100 read');
});

it('names the section and the byte that differ, and the cause of the new prefix', async () => {
  await project.run('-p', 'One.', '--model', 'claude-opus-5-5');
  await project.run('-p', 'Two.', '-c', '--model', 'claude-sonnet-5-5');
  const { out } = await project.run('diff');
  expect(out).toContain('a new prefix, declared by its cause: model');
  expect(out).toMatch(/section environment was changed from byte \d+ on/);
  expect(out).toContain('claude-sonnet-5-5');
});

it('says what it can not show', async () => {
  await expect(project.run('diff')).rejects.toThrow('no session in this directory yet');
  await project.run('-p', 'One.');
  await expect(project.run('diff', '9')).rejects.toThrow('has 2 requests, from 1 on');
  await expect(project.run('diff', 'a', 'b')).rejects.toThrow('sidenote diff [session] [n]');
});
