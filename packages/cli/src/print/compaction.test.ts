/** Compaction through the command: `/compact`, by itself, and what the model and a person get to know of it. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loopbackModel, type Block, type LoopbackModel, type Reply } from './loopback-model.testing.js';
import { MAIN } from './program.testing.js';

const PAGE = join(import.meta.dirname, '../../../../docs/compaction.md');
let root = '';
let project = '';
let model: LoopbackModel | undefined;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-compaction-')));
  project = join(root, 'project');
  await mkdir(join(project, '.sidenote'), { recursive: true });
  await mkdir(join(root, 'home'));
  await writeFile(join(project, 'AGENTS.md'), 'RULE-FERN\n');
});
afterEach(async () => {
  await model?.close();
  model = undefined;
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
});

const say = (text: string): readonly Block[] => [{ type: 'text', text }];
const read = (name: string): readonly Block[] => [
  { type: 'tool_use', id: `toolu_${name}`, name: 'Read', input: { file_path: join(project, name) } },
];

/** Prompts one after another; `between` runs after the result of each. */
async function talk(
  replies: readonly Reply[],
  prompts: readonly string[],
  between: (done: number) => Promise<void> = async () => {},
): Promise<{ readonly bodies: readonly string[]; readonly lines: readonly Record<string, unknown>[]; readonly err: string }> {
  model = await loopbackModel(replies);
  const args = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--trust'];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], HOME: join(root, 'home'), TERM: 'dumb', ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' },
  });
  const lines: Record<string, unknown>[] = [];
  let err = '';
  let rest = '';
  let done = 0;
  const next = (): void => {
    const words = prompts[done];
    if (words === undefined) child.stdin.end();
    else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: words } })}\n`);
  };
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const line = JSON.parse(part) as Record<string, unknown>;
      lines.push(line);
      if (line['type'] === 'result') void between(++done).then(next);
    }
  });
  next();
  await new Promise((resolve) => child.on('close', resolve));
  return { bodies: model.bodies.map(({ messages }) => JSON.stringify(messages)), lines, err };
}

const count = (text: string | undefined, part: string): number => (text ?? '').split(part).length - 1;

it('/compact: the summary, the instructions once, and the newest files as they are now', async () => {
  await writeFile(join(project, 'a.txt'), `OLD-OAK\n${'filler\n'.repeat(900)}`);
  const { bodies, lines, err } = await talk(
    [read('a.txt'), say('seen'), say('SUMMARY-TEAL'), say('fine')],
    ['start', '/compact keep test names', 'go on'],
    async (done) => (done === 2 ? writeFile(join(project, 'a.txt'), 'NEW-ELM\n') : undefined),
  );
  expect(bodies[2]).toContain('keep test names');
  const last = bodies[3];
  for (const mark of ['SUMMARY-TEAL', 'RULE-FERN', 'NEW-ELM', 'the newest, as they are now'])
    expect(`${mark} ${count(last, mark)}`).toBe(`${mark} 1`);
  expect(count(last, 'OLD-OAK')).toBe(0);
  expect(lines).toContainEqual(
    expect.objectContaining({ subtype: 'compact_boundary', compact_metadata: expect.objectContaining({ trigger: 'manual' }) }),
  );
  expect(lines.filter(({ type }) => type === 'result')[1]).toMatchObject({
    is_error: false,
    result: expect.stringMatching(/^Compacted: about/),
  });
  expect(err).toMatch(/summarising the conversation[^]*Not lost: project instructions: 1 file/);
});

it('the settings of the page: a window that is as full as they say is compacted before the next words', async () => {
  const settings = /```json\n([^]*?)```/.exec(await readFile(PAGE, 'utf8'))?.[1] ?? '';
  await writeFile(join(project, '.sidenote/settings.json'), settings);
  const full: Reply = { blocks: say('one'), inputTokens: 700_000 };
  const { bodies, err } = await talk([full, say('SUMMARY-TEAL'), say('two')], ['start', 'go on']);
  expect(bodies).toHaveLength(3);
  expect(bodies[2]).toMatch(/SUMMARY-TEAL.*go on/);
  expect(err).toContain('The context window is nearly full: summarising');
});

it('the model is told once when the window passes a level', async () => {
  const full: Reply = { blocks: say('one'), inputTokens: 620_000 };
  const { bodies } = await talk([full, { blocks: say('two'), inputTokens: 630_000 }, say('three')], ['start', 'second', 'third']);
  expect(bodies.map((body) => count(body, 'The context window is about 62 % full'))).toEqual([0, 1, 1]);
});
