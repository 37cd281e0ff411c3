import { readFile, utimes, writeFile } from 'node:fs/promises';
import { sessionFile } from '@sidenote/node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel } from '../print/loopback-model.testing.js';

const [GOOD, BAD] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
let project: TestProject;
let model: LoopbackModel;
beforeEach(async () => {
  model = await loopbackModel([]);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  await project.run('-p', 'FIRST-WORDS', '--session-id', GOOD);
});
afterEach(async () => {
  await model.close();
  await project.remove();
});

const file = (session: string): string => sessionFile({ cwd: project.cwd, configDir: `${project.home}/.sidenote`, session });
const putNewest = async (text: string): Promise<void> => {
  await writeFile(file(BAD), text);
  const later = new Date(Date.now() + 60_000);
  await utimes(file(BAD), later, later);
};

it.each([
  ['no lines of a session', 'torn\n{"type":"user"\n\u0000\n', 'line 1: not readable'],
  ['lines of another program', '{"type":"summary","text":"x"}\n', '1 lines are of another program'],
])('-c passes over a newest file that holds %s, says so once, and goes on with the one before', async (_, text, why) => {
  await putNewest(text);
  const ran = await project.run('-c', '-p', 'go on');
  expect(ran.status).toBe(0);
  expect(ran.err.split(BAD)).toHaveLength(2);
  expect(ran.err).toContain(`passed over: there is no conversation in session ${BAD}: ${why}`);
  expect(JSON.stringify(model.bodies[1])).toContain('FIRST-WORDS');
  expect(await readFile(file(BAD), 'utf8')).toBe(text);
});

it('a file like that which is named is an error that says how to go on', async () => {
  await putNewest('torn\n');
  const ran = await project.run('-r', BAD, '-p', 'go on');
  expect(ran.status).toBe(1);
  expect(ran.err).toMatch(/no conversation in session 2222.*-c goes on with the newest that can be read, sidenote sessions lists all/);
  expect(model.bodies).toHaveLength(1);
});

it('where none can be read nothing is continued', async () => {
  await writeFile(file(GOOD), 'torn\n');
  const ran = await project.run('-c', '-p', 'go on');
  expect(ran.status).toBe(1);
  expect(ran.err).toContain('there is no session in this directory yet');
});
