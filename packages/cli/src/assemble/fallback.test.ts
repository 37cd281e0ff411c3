import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

it('goes on with the other model when the first does not answer, and says so', async () => {
  model = await loopbackModel([529, 529, 529, [{ type: 'text', text: 'Here.' }]]);
  project = await testProject({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' });
  const { out, err, status } = await project.run('-p', 'go', '--fallback-model', 'haiku');
  expect([status, out]).toEqual([0, 'Here.\n']);
  expect(err).toContain('claude-haiku-5-5 goes on');
  expect(model.bodies.map((body) => body['model'])).toEqual([...Array.from({ length: 3 }, () => 'claude-opus-5-5'), 'claude-haiku-5-5']);
  const cost = await project.run('-p', '/cost', '-c');
  expect(cost.out).toContain('claude-haiku-5-5: $');
  expect(cost.out).toContain('predicted: cache read 0');
});

it('refuses one that could never step in', async () => {
  project = await testProject({ ANTHROPIC_API_KEY: 'test' });
  const { status, err } = await project.run('-p', 'go', '--fallback-model', 'openai:x');
  expect(status).toBe(1);
  expect(err).toContain('OPENAI_API_KEY');
});
