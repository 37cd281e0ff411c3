import { afterEach, expect, it } from 'vitest';
import { builtInKinds } from '@sidenote/engine';
import { loopbackModel, type LoopbackModel } from '../../print/loopback-model.testing.js';
import { run as runCommand } from '../../run.js';
import { testProject, type TestProject } from '../run.testing.js';

let project: TestProject | undefined;
let model: LoopbackModel | undefined;
afterEach(async () => {
  await model?.close();
  await project?.remove();
});

async function session() {
  const server = await loopbackModel([]);
  const made = await testProject();
  [model, project] = [server, made];
  await made.put({ 'CLAUDE.md': 'RULES-MARK\n', '.claude/settings.json': '{"attachments":{"git_snapshot":"off"}}' });
  const say = async (lines: readonly string[], ...args: readonly string[]) => {
    let out = '';
    await runCommand({
      args: ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', ...args],
      env: { PATH: process.env['PATH'], HOME: made.home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test' },
      cwd: made.cwd,
      home: made.home,
      stdin: (async function* () {
        for (const text of lines) yield `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
      })(),
      stdout: { write: (text) => void (out += text) },
      stderr: { write: () => {} },
      signal: new AbortController().signal,
    });
    const parsed = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    return parsed.filter(({ type }) => type === 'result').map(({ result }) => String(result));
  };
  return { say, bodies: server.bodies };
}

it('lists every kind: on or off and why, how often it was told, and what it takes; those that told nothing by name', async () => {
  const { say } = await session();
  const [before = '', , after = '', context = ''] = await say(['/reminders', 'hello', '/reminders', '/context']);
  const [rows = '', quiet = ''] = after.split('\n\n');
  expect(quiet).toMatch(/^on, and nothing told so far: /);
  for (const { kind } of builtInKinds) {
    const isRow = new RegExp(`^(on |off) ${kind}\\b`, 'm').test(rows);
    expect(new RegExp(`\\b${kind}\\b`).test(quiet)).toBe(!isRow);
  }
  expect(before).toMatch(/^off git_snapshot +switched off by the setting attachments\.git_snapshot$/m);
  expect(after).toMatch(/^on {2}project_instructions +1×, \d+ tokens here; \d\d:\d\d project instructions/m);
  const tokens = (text: string, row: RegExp): string | undefined => row.exec(text)?.[1];
  expect(tokens(after, /^on {2}project_instructions +1×, (\d+) tokens/m)).toBe(tokens(context, /^ {2}project_instructions +\d+ +≈(\d+)/m));
  expect(after).toMatch(/^off team_context +this session has no team$/m);
});

it('switches a kind off and on again for the session, also when it is resumed, and leaves what was told', async () => {
  const { say, bodies } = await session();
  const dates = (n: number): number => JSON.stringify(bodies.at(n)?.['messages']).split('Today is').length - 1;
  const [off = '', , wrong = '', half = ''] = await say([
    '/reminders date_change off',
    'one',
    '/reminders date_chang off',
    '/reminders date_change',
  ]);
  expect(off).toContain('"attachments": { "date_change": "off" } in ~/.sidenote/settings.json');
  expect(wrong).toContain('did you mean date_change?');
  expect(half).toContain('takes on or off');
  expect(dates(0)).toBe(0);
  const [, listing = ''] = await say(['two', '/reminders', '/reminders date_change on', 'three'], '-c');
  expect(dates(1)).toBe(0);
  expect(listing).toMatch(/^off date_change +switched off for this session/m);
  expect(dates(2)).toBe(1);
  await say(['/reminders git_snapshot on', '/reminders project_instructions off', 'four'], '-c');
  expect(JSON.stringify(bodies.at(-1))).toContain('RULES-MARK');
});
