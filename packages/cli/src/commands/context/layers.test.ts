import { afterEach, beforeEach, expect, it } from 'vitest';
import { testProject, type TestProject } from '../run.testing.js';
import type { DryContext } from './view.js';

let project: TestProject;
beforeEach(async () => {
  project = await testProject();
});
afterEach(() => project.remove());

const context = async (...flags: string[]): Promise<DryContext> => JSON.parse((await project.run('context', '--json', ...flags)).out);
const names = ({ sections }: DryContext) => sections.map(({ name }) => name);

it('names the layer that won and those that lost', async () => {
  expect(await context()).toMatchObject({ layer: { won: 'base', lost: [], proactive: false } });
  const custom = await context('--system-prompt', 'Be a pirate.', '--append-system-prompt', 'Say arr.');
  expect(custom.layer).toEqual({ won: 'custom', lost: ['base'], proactive: false });
  expect(names(custom)).toEqual(['custom', 'appended']);
  expect((await project.run('context', '--system-prompt', 'Be a pirate.')).out).toContain('of the layer custom, instead of base');
});

it('takes an empty system prompt for none, and an empty addition for nothing', async () => {
  const none = await context('--system-prompt', '', '--append-system-prompt', '');
  expect(none).toMatchObject({ layer: { won: 'custom' }, sections: [] });
});

it('keeps the initiative in the prefix, by flag or setting', async () => {
  const flag = await context('--proactive');
  expect(flag.layer?.proactive).toBe(true);
  expect(names(flag)).toContain('proactive');
  await project.put({
    '.sidenote/settings.json': '{"proactive": true, "models": {"claude-opus-5-5": {"window": 1234}, "x": {"windw": 1}}}',
  });
  const setting = await context('--trust');
  expect(setting).toMatchObject({ window: 1234, layer: { proactive: true } });
  expect((await project.run('context', '--trust')).err).toContain('the setting models.x.windw: not known');
});

it('puts the git snapshot where settings say', async () => {
  await project.put({
    '.sidenote/settings.json': '{"git": {"position": "system"}, "cache": {"mode": "automatic"}}',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/objects/x': '',
    '.git/refs/x': '',
  });
  const view = await context();
  expect(names(view)).toContain('git');
  expect(view.reminders.kinds.map(({ name }) => name)).not.toContain('git_snapshot');
  const { request } = JSON.parse((await project.run('context', '--json')).out) as { request: object };
  expect(request).toHaveProperty('cache_control');
});
