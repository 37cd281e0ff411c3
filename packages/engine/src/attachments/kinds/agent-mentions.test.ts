import { expect, test } from 'vitest';
import { agentMentions } from './agent-mentions.js';
import { ask, moment, source, text } from './kind.testing.js';

const mentions = {
  find: (words: string) => (words.includes('@shared') ? [{ raw: '@shared', path: 'shared' }] : []),
  read: async () => ({ type: 'missing' as const, path: '', why: 'unused' }),
};
const ports = {
  mentions,
  agents: source([
    { name: 'reviewer', description: 'Reviews.' },
    { name: 'shared', description: 'Also a file.' },
  ]),
};
const asked = (words: string, origin?: 'peer') =>
  ask(agentMentions, { ports, moment: moment({ prompts: [{ content: [text(words)], ...(origin === undefined ? {} : { origin }) }] }) });

test('an agent named by its prefix or its bare name', async () => {
  const named = await asked('Ask @agent-reviewer, please.');
  expect(named.text).toBe(
    'The user names the agent reviewer: start it with the Agent tool (subagent_type reviewer) for what they ask of it.',
  );
  expect((await asked('@Reviewer: look at this')).record?.data).toEqual({ agents: ['reviewer'] });
  expect((await asked('@agent-reviewer and @agent-shared')).record?.data).toEqual({ agents: ['reviewer', 'shared'] });
});

test.each([
  'a file of that name wins: @shared',
  'an address: me@reviewer',
  'a package: @reviewer/core',
  'code: `@reviewer`',
  'nobody: @agent-nobody @else',
])('%s', async (words) => {
  expect((await asked(words)).type).toBe('nothing');
});

test('only a person chooses agents', async () => {
  expect((await asked('@agent-reviewer', 'peer')).type).toBe('nothing');
});
