import { afterEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../commands/run.testing.js';
import { loopbackModel, say, use, type LoopbackModel } from '../print/loopback-model.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

it('lets nobody skip permissions where a setting says so, by a flag, an agent or another setting', async () => {
  const server = await loopbackModel([
    [use('Agent', { description: 'd', prompt: 'SUB', subagent_type: 'free' })],
    [use('Bash', { command: 'touch made' })],
    [say('sub')],
    [say('done')],
  ]);
  const made = await testProject({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test', IS_SANDBOX: '1' });
  [model, project] = [server, made];
  await made.put({
    '.claude/settings.json': '{"permissions": {"disableBypassPermissionsMode": "disable", "defaultMode": "bypassPermissions"}}',
    '.claude/agents/free.md': '---\nname: free\ndescription: d\npermissionMode: bypassPermissions\n---\nFree.\n',
  });
  const refused = await made.run('-p', 'go', '--dangerously-skip-permissions');
  expect(refused).toMatchObject({ status: 2, out: '' });
  expect(refused.err).toMatch(/permissions can not be skipped here: .*settings\.json says permissions\.disableBypassPermissionsMode/);
  expect((await made.run('-p', 'go', '--trust')).status).toBe(0);
  expect(JSON.stringify(server.bodies[2])).toContain('Not allowed');
});
