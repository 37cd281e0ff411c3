/** The agent of the documentation, as a session is given it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentDefinitions } from '@sidenote/node';

test('the reviewer of docs/agents.md is read without a complaint', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'example-'));
  const files = agentDefinitions({ cwd, home: cwd, configDir: import.meta.dirname, managed: [], sources: ['user'] });
  const { agents, problems } = (await files.read()).value;
  expect(problems).toEqual([]);
  expect(agents.get('reviewer')).toMatchObject({
    tools: ['Read', 'Grep', 'Glob', 'Bash(git diff:*)', 'Bash(git log:*)'],
    permissionMode: 'plan',
    maxTurns: 20,
    criticalReminder: expect.stringContaining('You change nothing'),
  });
  await rm(cwd, { recursive: true });
});
