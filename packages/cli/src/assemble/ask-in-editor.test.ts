/** Permission for a change, asked for in an editor over a real socket and on a terminal at once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ask, PermissionAnswer } from '@sidenote/agent';
import { afterEach, expect, it, vi } from 'vitest';
import { editorDouble, type EditorDouble } from '../../../node/src/ide/editor.testing.js';
import { testProject, type TestProject } from '../commands/run.testing.js';
import type { Conversation } from '../conversation.js';
import { parseFlags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { loopbackModel, type LoopbackModel, type Reply } from '../print/loopback-model.testing.js';
import { assemble } from './assemble.js';
import { createModels } from './models.js';
import { setUp } from './set-up.js';

let model: LoopbackModel | undefined;
let project: TestProject | undefined;
let editor: EditorDouble | undefined;
let conversation: Conversation | undefined;
let typed: string[] = [];
afterEach(async () => {
  typed = [];
  await conversation?.close();
  await editor?.close();
  await model?.close();
  await project?.remove();
});

const use = (name: string, input: object, id = `toolu_${name}`): Reply => [{ type: 'tool_use', id, name, input }];
const sent = (): string => JSON.stringify(model?.bodies.at(-1)?.['messages']);
const never: Ask = (_request, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ type: 'deny' })));

/** A session beside an editor that answers so; `ask` is the terminal. */
async function session(replies: readonly Reply[], diff: () => readonly string[] | undefined, ask: Ask): Promise<TestProject> {
  model = await loopbackModel(replies);
  const made = (project = await testProject());
  await made.put({ 'a.txt': 'one\ntwo\n' });
  editor = await editorDouble({
    home: made.home,
    folders: [made.cwd],
    tool: ({ name }) => (name === 'openDiff' ? diff() : name === 'close_tab' ? ['TAB_CLOSED'] : ['{"success": false}']),
  });
  const io: Io = {
    args: [],
    env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: model.url },
    cwd: made.cwd,
    home: made.home,
    stdin: (async function* () {})(),
    stdout: { write: () => undefined },
    stderr: { write: () => undefined },
    signal: new AbortController().signal,
  };
  const setup = await setUp(io, parseFlags([]));
  const opened = (conversation = await assemble(setup, createModels(setup.io.env, { cwd: io.cwd, profile: setup.profile }), {
    ask,
    insert: (words) => typed.push(words),
  }));
  await vi.waitFor(() => expect(opened.editor?.status.state).toBe('connected'), 10_000);
  const events = opened.agent.run('go');
  while ((await events.next()).done !== true) continue;
  return made;
}
const calls = (name: string) => editor?.calls.filter((call) => call.name === name) ?? [];

it('writes what the person made of it in the editor, and tells the model so', async () => {
  const { cwd } = await session([use('Write', { file_path: 'b.txt', content: 'mine' })], () => ['FILE_SAVED', 'theirs'], never);
  expect(await readFile(join(cwd, 'b.txt'), 'utf8')).toBe('theirs');
  expect(sent()).toContain('The person changed the text before accepting it');
  expect(calls('openDiff')[0]?.input).toMatchObject({ old_file_path: join(cwd, 'b.txt'), new_file_contents: 'mine' });
});

it('edits as proposed when it is saved as it is; a rejected one changes nothing', async () => {
  const edit = (text: string) => use('Edit', { file_path: 'a.txt', old_string: 'two', new_string: text }, `toolu_${text}`);
  const answers = [['FILE_SAVED', 'one\nTWO\n'], ['DIFF_REJECTED']];
  const read = use('Read', { file_path: 'a.txt' });
  const { cwd } = await session(
    [read, edit('TWO'), use('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE' })],
    () => answers.shift(),
    never,
  );
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
  expect(sent()).not.toContain('The person changed the text');
  expect(sent()).toContain('The person declined this call.');
});

it('puts a place that is sent from the editor among the words that the person types', async () => {
  const { cwd } = await session([], () => undefined, never);
  editor?.send('at_mentioned', { filePath: join(cwd, 'a b.txt'), lineStart: 0, lineEnd: 3 });
  editor?.send('at_mentioned', { filePath: join(cwd, 'a.txt') });
  await vi.waitFor(() => expect(typed).toEqual(['@"a b.txt"#L1-4', '@a.txt']), 10_000);
});

it('is closed in the editor when the terminal answers first, and left to it when the person closes it', async () => {
  const once: PermissionAnswer = { type: 'once' };
  const { cwd } = await session(
    [use('Write', { file_path: 'b.txt', content: 'mine' })],
    () => undefined,
    async () => {
      await vi.waitFor(() => expect(calls('openDiff')).toHaveLength(1), 10_000);
      return once;
    },
  );
  expect(await readFile(join(cwd, 'b.txt'), 'utf8')).toBe('mine');
  await vi.waitFor(() => expect(calls('close_tab')).toHaveLength(1), 10_000);
});

it('asks the terminal alone about what is no change of a text', async () => {
  const asked: string[] = [];
  await session(
    [use('Bash', { command: 'touch x' }), use('Write', { file_path: 'c.txt', content: 'x' })],
    () => ['TAB_CLOSED'],
    async ({ title }) => {
      asked.push(title);
      return { type: 'deny' };
    },
  );
  expect(asked).toEqual(['Bash touch x', 'Write c.txt']);
  expect(calls('openDiff')).toHaveLength(1);
});
