/** The embedding example as a stranger would run it: a process, the real SDK, a loopback model. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLoopbackModel, type LoopbackModel, type Received, type ScriptedBlock } from './loopback-model.js';

const run = promisify(execFile);
const runner = fileURLToPath(new URL('../scripts/example.js', import.meta.url));

let root = '';
let project = '';
let model: LoopbackModel | undefined;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'embedding-')));
  project = join(root, 'project');
  await mkdir(project);
  await writeFile(join(project, 'AGENTS.md'), 'Functions are named in snake_case.\n');
  await writeFile(join(project, 'utils.js'), 'export function getUser() {}\n');
  await run('git', ['init', '-q', '-b', 'main'], { cwd: project });
});
afterEach(async () => {
  await model?.close();
  await rm(root, { recursive: true, force: true });
});

async function example(answers: readonly (readonly ScriptedBlock[])[], ...args: readonly string[]) {
  model = await startLoopbackModel(answers);
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    SIDENOTE_CONFIG_DIR: join(root, 'sidenote'),
    ANTHROPIC_API_KEY: 'test',
    ANTHROPIC_BASE_URL: model.url,
  };
  const { stdout } = await run(process.execPath, [runner, 'embedding', ...args], { cwd: project, env });
  await model.close();
  return { stdout, session: /^session (\S+)$/m.exec(stdout)?.[1] ?? '', requests: model.requests };
}

const call = (id: string, name: string, input: Record<string, string>): ScriptedBlock => ({ type: 'tool_use', id, name, input });
/** Without marks: they move with the newest message, and are no part of what a model reads. */
const bare = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'cache_control' ? undefined : member)));
const times = (request: Received | undefined, words: string) => JSON.stringify(request).split(words).length - 1;

const renaming: readonly (readonly ScriptedBlock[])[] = [
  [
    { type: 'thinking', thinking: 'The names are in utils.js.', signature: 'c2lnbmF0dXJl' },
    call('toolu_slow', 'run_command', { command: 'sleep 0.2; echo SLOW' }),
    call('toolu_read', 'read_file', { path: 'utils.js' }),
  ],
  [call('toolu_sed', 'run_command', { command: "sed -i.orig 's/getUser/get_user/' utils.js; echo RENAMED" })],
  [{ type: 'text', text: 'Renamed.' }],
];

test('without a key it says what to set, and nothing else', async () => {
  const env = { PATH: process.env['PATH'], HOME: root };
  const failure = await run(process.execPath, [runner, 'embedding'], { cwd: project, env }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 2, stdout: '', stderr: 'examples/embedding.ts asks a model: set ANTHROPIC_API_KEY\n' });
});

test('three positions, results in call order, thinking as it came, and what changed beside the tools', async () => {
  const { stdout, requests } = await example(renaming);
  expect(requests).toHaveLength(3);
  const [first, second, third] = requests;

  expect(times(first, 'Functions are named in snake_case.')).toBe(1);
  expect(bare(second?.messages[1])).toEqual({ role: 'assistant', content: renaming[0] });
  const results = second?.messages[2]?.content.filter((block) => Object(block).type === 'tool_result') ?? [];
  expect(results.map((block) => Object(block).tool_use_id)).toEqual(['toolu_slow', 'toolu_read']);

  expect(times(second, 'get_user')).toBe(0);
  const added = JSON.stringify(third?.messages.slice(4));
  expect(added).toContain('-export function getUser() {}');
  expect(added).toContain('+export function get_user() {}');

  expect(stdout).toContain('◇ ');
  expect(stdout).toMatch(/│ 'section' .*│/);
  expect(await readFile(join(project, 'utils.js'), 'utf8')).toBe('export function get_user() {}\n');
});

test('every request begins with the former one, also in a resumed session, and nothing is said twice', async () => {
  const before = await example(renaming);
  const after = await example([[{ type: 'text', text: 'As before.' }]], before.session);
  expect(after.session).toBe(before.session);
  const all = [...before.requests, ...after.requests];
  for (const [index, request] of all.entries()) {
    const former = all[index - 1];
    if (former === undefined) continue;
    expect(bare(request.system)).toEqual(bare(former.system));
    expect(bare(request.tools)).toEqual(bare(former.tools));
    expect(bare(request.messages.slice(0, former.messages.length))).toEqual(bare(former.messages));
  }
  expect(times(all.at(-1), 'Functions are named in snake_case.')).toBe(1);
  expect(times(all.at(-1), '+export function get_user() {}')).toBe(1);
});
