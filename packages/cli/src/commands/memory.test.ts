import type { Recalled } from '@sidenote/engine';
import type { ExplainedFile } from '@sidenote/node';
import { expect, it } from 'vitest';
import type { Conversation } from '../conversation.js';
import { memoryCommand } from './memory.js';

const file = (path: string, status: string): ExplainedFile => ({ path, status, scope: 'project', text: '', reason: `it is ${status}` });
const files = [file('/w/CLAUDE.md', 'loaded'), file('/w/lib/AGENTS.md', 'nested'), file('/w/notes.txt', 'loaded')];
const run = (rest: string, found: readonly ExplainedFile[] = files, recalled: readonly Recalled[] = []) => {
  const session = { main: { transcript: { read: () => new Map(recalled.map((one) => [one.path, one])) } } };
  return memoryCommand.run(
    {
      conversation: { cwd: '/w', session, instructions: async () => found } as unknown as Conversation,
      signal: new AbortController().signal,
      width: 80,
    },
    rest,
  );
};

it('lists instruction files with what becomes of them', async () => {
  const outcome = await run('');
  expect(outcome).toMatchObject({
    type: 'text',
    text: expect.stringMatching(/1 {2}loaded .* CLAUDE\.md\n.*2 {2}nested .* lib\/AGENTS\.md: it is nested/),
  });
  expect(await run('', [])).toMatchObject({ text: 'there are no instruction files; /memory AGENTS.md begins one' });
});

it('opens one by number, by path, or a new one by its name', async () => {
  expect(await run('2')).toEqual({ type: 'edit', path: '/w/lib/AGENTS.md' });
  expect(await run('notes.txt')).toEqual({ type: 'edit', path: '/w/notes.txt' });
  expect(await run('doc/CLAUDE.md', [])).toEqual({ type: 'edit', path: '/w/doc/CLAUDE.md' });
  expect(await run('9')).toMatchObject({ type: 'refused' });
  expect(await run('main.ts')).toMatchObject({ type: 'refused' });
});

it('tells what was recalled in this session, and why', async () => {
  const outcome = await run('', files, [{ path: '/m/deploy.md', why: 'it has deploy' }]);
  expect(outcome).toMatchObject({ text: expect.stringContaining('Recalled in this session\n     /m/deploy.md: it has deploy') });
});
