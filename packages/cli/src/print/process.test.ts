import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonlStore } from '@sidenote/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loopbackModel, type LoopbackModel, type Reply } from './loopback-model.js';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
let root = '';
let project = '';
let model: LoopbackModel | undefined;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-cli-')));
  project = join(root, 'project');
  await mkdir(project);
  await mkdir(join(root, 'home'));
  await writeFile(join(project, 'AGENTS.md'), 'RULE-FERN\n');
});
afterEach(async () => {
  await model?.close();
  model = undefined;
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
});

type Run = {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
};
type RunOptions = {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly during?: (child: ChildProcessWithoutNullStreams) => void;
};

/** The command in a process of its own, with a fake home and no network but the loopback model. */
function sidenote(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: project,
    env: {
      PATH: process.env['PATH'],
      HOME: join(root, 'home'),
      TERM: 'dumb',
      ...(model === undefined ? {} : { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test' }),
      ...options.env,
    },
  });
  child.stdin.end(options.stdin ?? '');
  options.during?.(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const lines = out.split('\n').flatMap((line) => (line.startsWith('{"') ? [JSON.parse(line) as Record<string, unknown>] : []));
      resolve({ status, out, err, lines });
    });
  });
}
const serve = async (...replies: readonly Reply[]): Promise<LoopbackModel> => (model = await loopbackModel(replies));
const text = (words: string): Reply => [{ type: 'text', text: words }];
const use = (name: string, input: unknown): Reply => [{ type: 'tool_use', id: `toolu_${name}`, name, input }];
const user = (content: string): string => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
/** A model that says one thing. */
async function scripted(): Promise<string> {
  const file = join(root, 'script.json');
  await writeFile(file, JSON.stringify([{ type: 'text', text: 'scripted' }]));
  return file;
}
const results = (run: Run) => run.lines.filter(({ type }) => type === 'result');

describe('a headless run', () => {
  it('prints the answer alone, and sends the instructions', async () => {
    const { bodies } = await serve(text('All good.'));
    const run = await sidenote(['-p', 'go']);
    expect(run).toMatchObject({ status: 0, out: 'All good.\n', err: '' });
    expect(JSON.stringify(bodies[0])).toContain('RULE-FERN');
    expect(bodies[0]).toMatchObject({ model: 'claude-opus-5-5', stream: true });
  });

  it('opens no file that piped text names, and raises no effort by it: only the words beside it are the person’s', async () => {
    await writeFile(join(project, 'log.txt'), 'content-oak\n');
    await writeFile(join(project, 'asked.txt'), 'content-yew\n');
    const { bodies } = await serve(text('Fine.'));
    await sidenote(['-p', 'explain with @asked.txt'], { stdin: 'failed: see @log.txt, ultrathink\n' });
    const sent = JSON.stringify(bodies[0]);
    expect(sent).toContain('failed: see @log.txt, ultrathink\\n\\nexplain with @asked.txt');
    expect(sent).toContain('content-yew');
    expect(sent).not.toContain('content-oak');
    expect(sent).not.toContain('effort at the level');
  });

  it('takes standard input for the person’s words where there are no others', async () => {
    await writeFile(join(project, 'asked.txt'), 'content-yew\n');
    const { bodies } = await serve(text('Fine.'));
    await sidenote(['-p'], { stdin: 'explain @asked.txt\n' });
    expect(JSON.stringify(bodies[0])).toContain('content-yew');
  });

  it('runs tools, refuses what nobody allows, and lists it', async () => {
    await writeFile(join(project, 'a.txt'), 'content-elm\n');
    const { bodies } = await serve(use('Read', { file_path: 'a.txt' }), use('Bash', { command: 'touch made' }), text('Done.'));
    const run = await sidenote(['-p', 'go', '--output-format', 'stream-json', '--verbose']);
    expect(run.status).toBe(0);
    expect(run.lines.map(({ type }) => type)).toEqual([
      'system',
      'assistant',
      'user',
      'assistant',
      'system',
      'user',
      'assistant',
      'result',
    ]);
    expect(results(run)).toMatchObject([
      {
        subtype: 'success',
        num_turns: 3,
        result: 'Done.',
        permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch made' } }],
      },
    ]);
    expect(run.out).toContain('content-elm');
    expect(run.out).not.toContain('RULE-FERN');
    expect(run.err).toContain('◇ project instructions');
    expect(bodies).toHaveLength(3);
    expect(await readdir(project)).not.toContain('made');
  });

  it('lets run what a flag allows', async () => {
    await serve(use('Bash', { command: 'touch made' }), text('Done.'));
    await sidenote(['-p', 'go', '--allowedTools', 'Bash(touch:*)']);
    expect(await readdir(project)).toContain('made');
  });

  it('goes on with the latest session: the same bytes first', async () => {
    const { bodies } = await serve(text('one'), text('two'));
    const first = await sidenote(['-p', 'start', '--output-format', 'json']);
    const second = await sidenote(['-p', 'on', '-c', '--output-format', 'json']);
    expect(results(second)[0]?.['session_id']).toBe(results(first)[0]?.['session_id']);
    const [a, b] = bodies.map((body) => body['messages'] as readonly { readonly content: readonly object[] }[]);
    const plain = (value: unknown) => JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
    expect(plain(b?.slice(0, a?.length))).toBe(plain(a));
    const listed = await sidenote(['sessions', '--json']);
    expect(JSON.parse(listed.out)).toMatchObject({ sessions: [{ id: results(first)[0]?.['session_id'], title: 'start' }] });
  });

  it('keeps nothing on disk when asked', async () => {
    await serve(text('one'));
    await sidenote(['-p', 'start', '--no-session-persistence']);
    expect(await readdir(join(root, 'home'))).toEqual([]);
  });

  it('keeps the model that answers when a session begins anew, whatever the default is', async () => {
    const script = await scripted();
    await sidenote(['-p', 'go', '--model', `script:${script}`]);
    const run = await sidenote(['-p', '-c', '--input-format', 'stream-json', '--output-format', 'stream-json'], {
      stdin: user('/clear') + user('again'),
    });
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(results(run)).toMatchObject([{ is_error: false }, { is_error: false, result: 'scripted' }]);
    expect(run.lines.findLast(({ subtype }) => subtype === 'init')).toMatchObject({ model: `script:${script}` });
  });

  it('plays no demo for words without a key, and says what to set', async () => {
    const run = await sidenote(['fix it']);
    expect(run).toMatchObject({ status: 1, out: '', err: expect.stringMatching(/^sidenote: No key: set ANTHROPIC_API_KEY .*\n$/) });
  });

  it('shows help by its name, and lists sessions to choose from where no model can be had', async () => {
    expect((await sidenote(['help'])).out).toContain('sidenote [prompt]');
    await sidenote(['-p', 'plant a fern', '--model', `script:${await scripted()}`]);
    const run = await sidenote(['-r']);
    expect(run).toMatchObject({ status: 0, err: 'sidenote: sidenote -r <id> goes on with one\n' });
    expect(run.out).toContain('plant a fern');
  });

  it('runs nothing with agents that it can not read', async () => {
    for (const [agents, why] of [
      ['{bad', 'it is not a JSON object of agents by name'],
      ['{"a": 1}', 'a is not an object'],
      ['{"a": {"prompt": "Look."}}', 'a: `description` is missing; the agent is not loaded'],
    ] as const) {
      const run = await sidenote(['-p', 'hi', '--model', `script:${await scripted()}`, '--agents', agents]);
      expect(run).toMatchObject({ status: 2, out: '', err: `sidenote: --agents: ${why}\n` });
    }
  });

  it('answers prompts of a stream, each with its result, and begins anew on /clear', async () => {
    const { bodies } = await serve(text('one'), text('two'));
    const run = await sidenote(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], {
      stdin: user('PROMPT-ASH') + user('/clear') + user('second'),
    });
    expect(run.status).toBe(0);
    expect(results(run).map(({ result }) => result)).toEqual(['one', '', 'two']);
    expect(JSON.stringify(bodies[1])).not.toContain('PROMPT-ASH');
    expect(JSON.stringify(bodies[1])).toContain('RULE-FERN');
  });

  it('stops at the limit of turns', async () => {
    await serve(use('Read', { file_path: 'AGENTS.md' }), use('Read', { file_path: 'AGENTS.md' }));
    const run = await sidenote(['-p', 'go', '--max-turns', '1', '--output-format', 'json']);
    expect(run.status).toBe(1);
    expect(results(run)).toMatchObject([{ subtype: 'error_max_turns', is_error: true, num_turns: 1 }]);
  });

  it('tries again, says so, and fails with one result', async () => {
    await serve(529, text('late'));
    const late = await sidenote(['-p', 'go']);
    expect(late).toMatchObject({ status: 0, out: 'late\n' });
    expect(late.err).toContain('trying again');
    await model?.close();
    await serve(401);
    const failed = await sidenote(['-p', 'go', '--output-format', 'stream-json']);
    expect(failed.status).toBe(1);
    expect(results(failed)).toMatchObject([{ subtype: 'error_during_execution', is_error: true }]);
    expect(String(results(failed)[0]?.['result'])).toContain('ANTHROPIC_API_KEY');
  });

  it('ends an interrupted turn with a result, and the session goes on', async () => {
    await serve('hang', text('after'));
    const run = await sidenote(['-p', 'go', '--output-format', 'stream-json', '--include-partial-messages'], {
      during: (child) => child.stdout.on('data', (chunk: Buffer) => chunk.includes('message_start') && child.kill('SIGINT')),
    });
    expect(run.status).toBe(130);
    expect(results(run)).toMatchObject([{ subtype: 'error_during_execution', is_error: true }]);
    expect(await sidenote(['-p', 'on', '-c'])).toMatchObject({ status: 0, out: 'after\n' });
  });
});

describe('errors', () => {
  it('names the flag that helps where a session is in use, and where nobody could be asked', async () => {
    const session = '0b0e8f5e-6d2a-4c4f-9a53-1f2b3c4d5e6f';
    await serve(use('Bash', { command: 'touch made' }), text('one'));
    const alone = await sidenote(['-p', 'go', '--session-id', session]);
    expect(alone.err).toContain("nobody is there to ask. --allowedTools 'Bash(touch made)' allows it.");
    const writing = await jsonlStore({ cwd: project, configDir: join(root, 'home', '.sidenote') }).open(session, { write: true });
    expect((await sidenote(['-p', 'on', '-r', session])).err).toContain('or go on in a fork (--fork-session)');
    await writing.close();
  });

  it('has a result without a key, for a bad line, and for a missing session', async () => {
    const keyless = await sidenote(['-p', 'go', '--output-format', 'json']);
    expect(keyless.status).toBe(1);
    expect(String(results(keyless)[0]?.['result'])).toContain('ANTHROPIC_API_KEY');
    await serve();
    const bad = await sidenote(['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'], { stdin: 'nonsense\n' });
    expect(bad.status).toBe(1);
    expect(results(bad)).toMatchObject([{ is_error: true }]);
    const missing = await sidenote(['-p', 'go', '-c', '--output-format', 'json']);
    expect(missing.status).toBe(1);
    expect(String(results(missing)[0]?.['result'])).toContain('no session in this directory yet');
    expect(missing.err).toContain('no session in this directory yet');
  });

  it('refuses the id of a session that there is: a new one would be written into it', async () => {
    await serve(text('one'));
    const named = ['-p', 'go', '--session-id', '11111111-1111-4111-8111-111111111111'];
    expect((await sidenote(named)).status).toBe(0);
    const again = await sidenote(named);
    expect(again.status).toBe(2);
    expect(again.err).toContain('-r 11111111-1111-4111-8111-111111111111 goes on with it');
    expect(model?.bodies).toHaveLength(1);
  });

  it('leaves a budget for thoughts out where the model takes none, and says so', async () => {
    await serve(text('one'));
    const run = await sidenote(['-p', 'go', '--tools', '', '--model', 'opus'], { env: { MAX_THINKING_TOKENS: '0' } });
    expect(run).toMatchObject({ status: 0, out: 'one\n' });
    expect(run.err).toContain('MAX_THINKING_TOKENS has no effect: claude-opus-5-5 takes no budget');
    expect(model?.bodies[0]?.['thinking']).toMatchObject({ type: 'adaptive' });
    expect(model?.bodies[0]?.['tools'] ?? []).toEqual([]);
  });

  it.each([
    [['--modle', 'x'], 'did you mean --model?'],
    [['-p'], 'needs a prompt'],
    [['--mcp-config', 'x'], "can't be read for MCP servers"],
    [['-p', 'x', '--tools', 'Raed'], 'did you mean Read?'],
  ])('refuses %j with one line and status 2', async (args, words) => {
    await serve();
    const run = await sidenote(args);
    expect(run).toMatchObject({ status: 2, out: '' });
    expect(run.err).toContain(words);
    expect(run.err.trim().split('\n')).toHaveLength(1);
  });

  it('wants a terminal or -p', async () => {
    await serve();
    expect(await sidenote([])).toMatchObject({ status: 2, err: expect.stringContaining('no terminal') as string });
  });

  it('says in which file a permission rule stands that can’t be read', async () => {
    await mkdir(join(project, '.sidenote'));
    await writeFile(join(project, '.sidenote/settings.json'), JSON.stringify({ permissions: { deny: ['Bash(rm'] } }));
    await serve(text('Done.'));
    expect((await sidenote(['-p', 'go'])).err).toContain(
      `The permission rule "Bash(rm" of ${project}/.sidenote/settings.json was left out`,
    );
  });

  it('leaves the settings of an untrusted directory out, and says so', async () => {
    await mkdir(join(project, '.sidenote'));
    await writeFile(join(project, '.sidenote/settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] }, modle: 'x' }));
    await serve(use('Bash', { command: 'touch made' }), text('Done.'));
    const run = await sidenote(['-p', 'go']);
    expect(run.err).toContain('"permissions.allow" was left out');
    expect(run.err).toContain('modle');
    expect(await readdir(project)).not.toContain('made');
  });
});

describe('without a model', () => {
  it('shows what would be sent, and leaves no trace', async () => {
    await writeFile(join(project, 'a.txt'), 'content-elm\n');
    const run = await sidenote(['context', 'see @a.txt', '--json']);
    expect(run.status).toBe(0);
    const view = JSON.parse(run.out) as Record<string, unknown>;
    expect(view).toMatchObject({
      files: [{ path: join(project, 'AGENTS.md'), status: 'loaded' }],
      reminders: { blocks: expect.any(Number) as number },
    });
    expect(JSON.stringify(view['request'])).toContain('content-elm');
    expect((await sidenote(['context'])).out).toContain('project_instructions');
    expect(await readdir(join(root, 'home'))).toEqual([]);
  });

  it('plays the demo as text, and cleans up', async () => {
    const run = await sidenote([], { env: { TMPDIR: root } });
    expect(run.status).toBe(0);
    expect(run.err).toContain('ANTHROPIC_API_KEY');
    for (const words of ['May this run?', 'Hello, ${name}!', 'changed: ', 'Injected (', 'project instructions'])
      expect(run.out).toContain(words);
    expect(run.out).not.toContain('\u001b');
    expect((await readdir(root)).toSorted()).toEqual(['home', 'project']);
    expect(await readdir(join(root, 'home'))).toEqual([]);
  });

  it('tells its version, help and health', async () => {
    const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as { readonly version: string };
    expect(await sidenote(['--version'])).toMatchObject({ status: 0, out: `${manifest.version}\n` });
    expect((await sidenote(['--help'])).out).toContain('--output-format');
    const doctor = await sidenote(['doctor']);
    expect(doctor.out).toContain(process.version);
    expect(doctor.out).toContain('ANTHROPIC_API_KEY');
    expect(await sidenote(['docter'])).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringContaining('did you mean `sidenote doctor`?'),
    });
  });

  it('takes a missing rg for a remark, and a missing git for a fault', async () => {
    const doctor = await sidenote(['doctor'], { env: { PATH: root } });
    expect(doctor.status).toBe(1);
    expect(doctor.out).toMatch(/^- {3}rg +not found: Grep uses the built-in scan/m);
    expect(doctor.out).toMatch(/^! {3}git +not found: install it/m);
  });
});
