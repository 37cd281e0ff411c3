import { currentToolName } from '@sidenote/node';
import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, type LoopbackModel } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

it('shows the model no tool that a rule or a flag forbids as a whole', async () => {
  const server = await loopbackModel([[{ type: 'text', text: 'done' }]]);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
  [model, project] = [server, made];
  await made.put({ '.claude/settings.json': '{"permissions": {"deny": ["Write", "Bash(rm *)"]}}' });
  expect((await made.run('-p', 'go', '--disallowedTools', 'Edit')).status).toBe(0);
  const names = JSON.stringify(server.bodies[0]?.['tools']);
  expect(names).toContain('"name":"Bash"');
  expect(names).not.toMatch(/"name":"(Write|Edit)"/);
});

it('takes the name of every tool that the model is shown in any case', async () => {
  const server = await loopbackModel([[{ type: 'text', text: 'done' }]]);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' });
  [model, project] = [server, made];
  expect((await made.run('-p', 'go')).status).toBe(0);
  const tools = (server.bodies[0]?.['tools'] ?? []) as { readonly name: string }[];
  const names = tools.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(names.map((name) => currentToolName(name.toLowerCase()))).toEqual(names);
});
