import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel } from '../print/loopback-model.testing.js';
import { run } from '../run.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

it('a session of a project that was moved goes on, and is told once where it is now', async () => {
  const server = await loopbackModel([]);
  const { root, home } = (project = await testProject());
  model = server;
  const say = (folder: string, ...args: readonly string[]): Promise<number> =>
    run({
      args: ['-p', ...args],
      env: { PATH: process.env['PATH'], HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' },
      cwd: join(root, folder),
      home,
      stdin: (async function* () {})(),
      stdout: { write: () => {} },
      stderr: { write: () => {} },
      signal: new AbortController().signal,
    });
  await mkdir(join(root, 'a-b'));
  expect(await say('a-b', 'one')).toBe(0);
  await rename(join(root, 'a-b'), join(root, 'a_b'));
  expect(await say('a_b', 'two', '--continue')).toBe(0);
  expect(await say('a_b', 'three', '--continue')).toBe(0);
  expect(JSON.stringify(server.bodies[1]?.['system'])).toContain(`Working directory: ${join(root, 'a-b')}`);
  const told = `The working directory is now ${join(root, 'a_b')}`;
  expect(server.bodies.map(({ messages }) => JSON.stringify(messages).split(told).length - 1)).toEqual([0, 1, 1]);
  expect(await say('a_b', '/compact', '--continue')).toBe(0);
  expect(await say('a_b', 'four', '--continue')).toBe(0);
  expect(JSON.stringify(server.bodies.at(-1)?.['system'])).toContain(`Working directory: ${join(root, 'a-b')}`);
  expect(JSON.stringify(server.bodies.at(-1)?.['messages']).split(told)).toHaveLength(2);
});
