import { expect, it } from 'vitest';
import { createPermissions } from '../permissions/permissions.js';
import { fakeTool } from '../permissions/permissions.testing.js';
import { narrowed } from './allowed-tools.js';

const where = { cwd: '/w', home: '/h' };

it('narrows a tool to the calls that a definition names, and takes nothing else away', async () => {
  const session = createPermissions({ ...where, mode: 'default', rules: { allow: ['Bash(git log:*)', 'Bash(git push:*)'] } });
  const agent = narrowed(session, { tools: ['Read', 'Bash(git log:*)', 'Bash(ls:*)'] }, where);
  const bash = fakeTool('Bash', 'execute');
  const judge = async (command: string, allow: readonly string[] = []) =>
    (await agent.judge({ id: 'c', name: 'Bash', input: { command } }, bash, { command }, { allow })).type;
  expect(await judge('git log -1')).toBe('allow');
  expect(await judge('git push')).toBe('deny');
  // What a loaded skill allows counts in an agent, too, within its definition.
  expect(await judge('ls /elsewhere')).toBe('ask');
  expect(await judge('ls /elsewhere', ['Bash(ls:*)'])).toBe('allow');
  expect(await judge('npm test', ['Bash(npm:*)'])).toBe('deny');
});
