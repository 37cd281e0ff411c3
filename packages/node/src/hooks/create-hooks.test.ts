import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json } from '@sidenote/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookCall, HookOutcome } from './contract.js';
import { createHooks, type HooksOptions, type LocalHooks } from './create-hooks.js';
import { readHooks } from './read-hooks.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

type Late = { readonly outcome: HookOutcome; readonly wake: boolean };
function hooksOf(
  handlers: readonly Json[],
  more: Partial<Omit<HooksOptions, 'late'>> & { readonly event?: string; readonly late?: (late: Late) => void } = {},
) {
  const { event = 'UserPromptSubmit', late = () => undefined, ...options } = more;
  const { hooks } = readHooks({ settings: { hooks: { [event]: [{ hooks: handlers }] } }, origins: new Map() });
  return createHooks({
    hooks,
    cwd: folder,
    env: process.env,
    projectDir: folder,
    session: { id: 's1', transcriptPath: '/t/s1.jsonl' },
    folder: join(folder, 'long'),
    permissionMode: () => 'plan',
    ...options,
    late: (outcome, { wake }) => late({ outcome, wake }),
  });
}
const command = (text: string, more = {}) => ({ type: 'command', command: text, ...more });
const prompt = (words = 'go'): HookCall => ({ event: 'UserPromptSubmit', fields: { prompt: words } });
const textsOf = ({ texts }: HookOutcome) => texts.map(({ text }) => text);
const notesOf = ({ notes }: HookOutcome) => notes.map(({ text }) => text);
/** A zombie runs no more. */
const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
async function timed<T>(work: Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const started = performance.now();
  const value = await work;
  return { value, ms: performance.now() - started };
}

describe('input', () => {
  it('is JSON on standard input with everything a hook may ask for', async () => {
    const hooks = hooksOf([command('cat')]);
    const [text = ''] = textsOf(await hooks.run(prompt('say "hi"')));
    // A prompt hook that prints JSON: nothing of it is a key that is read.
    expect(text).toBe('');
    const { notes } = await hooks.run(prompt('x'));
    expect(notes.map(({ text }) => text).join('\n')).toContain('6 keys that nothing reads: session_id');
    const shown = hooksOf([command('echo input; cat')]);
    const [all = ''] = textsOf(await shown.forAgent({ id: 'a1', type: 'Explore' }).run(prompt('say "hi"')));
    expect(JSON.parse(all.split('\n')[1] ?? '')).toEqual({
      session_id: 's1',
      transcript_path: '/t/s1.jsonl',
      cwd: folder,
      permission_mode: 'plan',
      hook_event_name: 'UserPromptSubmit',
      agent_id: 'a1',
      agent_type: 'Explore',
      prompt: 'say "hi"',
    });
  });

  it('names where an agent works, and its hooks run there', async () => {
    const tree = join(folder, 'tree');
    mkdirSync(tree);
    const hooks = hooksOf([command('pwd; cat; echo; echo "$CLAUDE_PROJECT_DIR"')]);
    const [text = ''] = textsOf(await hooks.forAgent({ id: 'a1', type: 'Explore', cwd: tree }).run(prompt('x')));
    const [where, input = '', root] = text.split('\n');
    expect([where, root]).toEqual([tree, folder]);
    expect(JSON.parse(input)).toMatchObject({ cwd: tree });
  });

  it('need not be read, however long it is', async () => {
    const outcome = await hooksOf([command('exec 0<&-; echo fine'), command('head -c 1 >/dev/null; echo too')]).run(
      prompt('x'.repeat(3_000_000)),
    );
    expect(textsOf(outcome)).toEqual(['fine', 'too']);
  });

  it('comes with the folder of the project in the environment', async () => {
    expect(textsOf(await hooksOf([command('echo $CLAUDE_PROJECT_DIR $SIDENOTE_PROJECT_DIR; pwd')]).run(prompt()))).toEqual([
      `${folder} ${folder}\n${folder}`,
    ]);
  });

  it('goes to a program without a shell when arguments are named', async () => {
    expect(textsOf(await hooksOf([command('printf', { args: ['%s', '$HOME; a  b'] })]).run(prompt()))).toEqual(['$HOME; a  b']);
  });
});

describe('several hooks', () => {
  it('run side by side, and what they say stands in the order of the settings', async () => {
    const meet = (own: string, other: string) => `touch ${own}; while [ ! -e ${other} ]; do :; done; echo ${own}`;
    const { value } = await timed(hooksOf([command(meet('a', 'b')), command(meet('b', 'a'))]).run(prompt()));
    expect(textsOf(value)).toEqual(['a', 'b']);
  });

  it('identical ones run once; a failure of one is nothing to the others', async () => {
    const outcome = await hooksOf([command('echo a'), command('exit 3'), command('echo a'), command('/no/such/program')]).run(prompt());
    expect(textsOf(outcome)).toEqual(['a']);
    expect(notesOf(outcome)).toEqual([
      'the hook UserPromptSubmit (exit 3) failed with status 3: it said nothing',
      expect.stringMatching(/^the hook UserPromptSubmit \(\/no\/such\/program\) failed with status 127: .*No such file/),
    ]);
  });

  it('deny is stronger than defer, ask and allow', async () => {
    const says = (permissionDecision: string) => command(`echo '${JSON.stringify({ hookSpecificOutput: { permissionDecision } })}'`);
    const call: HookCall = { event: 'PreToolUse', subject: 'Bash', fields: {} };
    const strongest = async (...all: string[]) => (await hooksOf(all.map(says), { event: 'PreToolUse' }).run(call)).permission?.type;
    expect(await strongest('allow', 'ask', 'allow')).toBe('ask');
    expect(await strongest('ask', 'defer')).toBe('defer');
    expect(await strongest('deny', 'defer', 'allow')).toBe('deny');
  });

  it('one that runs once runs once, and one with a condition only when it is met', async () => {
    const hooks = hooksOf([command('echo once', { once: true }), command('echo if', { if: 'Bash(git *)' })], {
      meets: async (rule, { fields }) => rule === 'Bash(git *)' && fields['prompt'] === 'met',
    });
    expect(textsOf(await hooks.run(prompt()))).toEqual(['once']);
    expect(textsOf(await hooks.run(prompt('met')))).toEqual(['if']);
  });
});

describe('limits', () => {
  it('a child that keeps the pipes open does not hold what was said', async () => {
    const { value, ms } = await timed(hooksOf([command('sleep 30 & echo done; echo pid $!')]).run(prompt()));
    expect(value.texts[0]?.text).toMatch(/^done\npid \d+$/);
    expect(ms).toBeLessThan(10_000);
    process.kill(Number(/pid (\d+)/.exec(value.texts[0]?.text ?? '')?.[1]), 'SIGKILL');
  });

  it('one over its limit is left behind at once, named, and ended with its children', async () => {
    const hooks = hooksOf([command("trap '' TERM; echo $$ > pid; echo half; sleep 60; sleep 60", { timeout: 0.4 })]);
    const { value, ms } = await timed(hooks.run(prompt()));
    expect(value.texts).toEqual([]);
    expect(notesOf(value)[0]).toMatch(/^the hook UserPromptSubmit \(trap .*\) took longer than 0.4 s and was left behind/);
    expect(ms).toBeLessThan(8_000);
    await hooks.close(0);
    expect(isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
  });

  it('one that is waited for long is named meanwhile', async () => {
    const lines: string[] = [];
    await hooksOf([command('sleep 60', { timeout: 0.5 })], { patienceMs: 10 }).run(prompt(), { waiting: (line) => lines.push(line) });
    expect(lines).toEqual(['waiting for the hook UserPromptSubmit (sleep 60), at most 0.5 s']);
  });

  it('an interrupt ends the waiting, and nothing is said', async () => {
    const abort = new AbortController();
    const hooks = hooksOf([command('echo started; sleep 60')], { patienceMs: 10 });
    expect(await hooks.run(prompt(), { signal: abort.signal, waiting: () => abort.abort() })).toEqual({ texts: [], blocks: [], notes: [] });
    await hooks.close(0);
  });

  it('endless output costs a line', async () => {
    const hooks = hooksOf([command('yes OBEY')]);
    const outcome = await hooks.run(prompt());
    expect(outcome).toMatchObject({ texts: [], notes: [{ text: expect.stringContaining('wrote more than 64 MiB and was ended') }] });
    await hooks.close(0);
  });

  it('50 MB are read to their end, of which a head is told and the rest is said to be left out', async () => {
    const outcome = await hooksOf([command('yes "some words" | head -c 50000000')]).run(prompt());
    expect(outcome.texts[0]).toMatchObject({
      characters: 1_048_576,
      file: expect.stringContaining(join(folder, 'long/hook-UserPromptSubmit-')),
    });
    expect(outcome.texts[0]?.text.length).toBeLessThanOrEqual(2_000);
    expect(notesOf(outcome)[0]).toContain('wrote more than 1,048,576 characters');
  });

  it('a long reason, and a long text in place of an output, are cut and name the file', async () => {
    const call = (event: 'PreToolUse' | 'PostToolUse'): HookCall => ({ event, subject: 'Bash', fields: {} });
    const loud = hooksOf([command('yes NO | head -c 400000 >&2; exit 2')], { event: 'PreToolUse' });
    const { permission } = await loud.run(call('PreToolUse'));
    expect(permission).toMatchObject({
      type: 'deny',
      reason: expect.stringMatching(/NO… \(400,000 characters; all of it is in .*long\/hook-PreToolUse-/),
    });
    expect(permission?.reason.length).toBeLessThan(3_000);
    const script = `console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'o'.repeat(300000) } }))`;
    const other = hooksOf([{ type: 'command', command: process.execPath, args: ['-e', script] }], { event: 'PostToolUse' });
    expect((await other.run(call('PostToolUse'))).output).toMatch(/^o{2000}… \(300,000 characters; all of it is in /);
  });

  it('a long text goes to a file whole; one that can not be written leaves the head', async () => {
    const long = command(`printf 'x%.0s' $(seq 20000)`);
    const { texts } = await hooksOf([long]).run(prompt());
    expect(readFileSync(texts[0]?.file ?? '', 'utf8')).toBe('x'.repeat(20_000));
    const blocked = await hooksOf([long], { folder: '/dev/null/x' }).run(prompt());
    expect(blocked.texts[0]).toEqual({
      kind: 'hook_success',
      event: 'UserPromptSubmit',
      hook: 'UserPromptSubmit',
      text: 'x'.repeat(2_000),
      characters: 20_000,
    });
  });

  it('bytes that are no text become marks', async () => {
    expect(textsOf(await hooksOf([command(String.raw`printf '\xff\x1b[31mred\x00'`)]).run(prompt()))).toEqual(['\ufffdred']);
  });

  it('a folder that is gone is said', async () => {
    expect(notesOf(await hooksOf([command('echo x')], { cwd: '/no/such/folder' }).run(prompt()))[0]).toContain(
      '/no/such/folder does not exist',
    );
  });
});

describe('beside the work', () => {
  const later = (handlers: readonly Json[], act: (hooks: LocalHooks) => unknown): Promise<Late> =>
    new Promise((resolve) => act(hooksOf(handlers, { late: resolve })));

  it('nobody waits, and what is said comes later', async () => {
    const seen: HookOutcome[] = [];
    const late = await later([command('read line; echo later', { async: true })], async (hooks) => seen.push(await hooks.run(prompt())));
    expect(seen).toEqual([{ texts: [], blocks: [], notes: [] }]);
    expect(late).toMatchObject({ wake: false, outcome: { texts: [{ text: 'later' }] } });
  });

  it('status 2 wakes, where the hook asks for that', async () => {
    const late = await later([command('echo broken >&2; exit 2', { asyncRewake: true })], (hooks) => hooks.run(prompt()));
    expect(late).toMatchObject({ wake: true, outcome: { blocks: [{ text: 'broken' }] } });
  });

  it('an event that nobody waits for tells its complaints all the same', async () => {
    const late = await later([command('exit 1')], (hooks) => hooks.post(prompt()));
    expect(notesOf(late.outcome)).toEqual(['the hook UserPromptSubmit (exit 1) failed with status 1: it said nothing']);
  });

  it('the end waits a little, then ends them', async () => {
    const hooks = hooksOf([command("trap '' TERM; echo $$ > pid.new; mv pid.new pid; sleep 60; touch over", { async: true })]);
    await hooks.run(prompt());
    while (!existsSync(join(folder, 'pid'))) await new Promise((resolve) => setImmediate(resolve));
    const { ms } = await timed(hooks.close(20));
    expect(ms).toBeLessThan(8_000);
    expect(isRunning(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
    expect(existsSync(join(folder, 'over'))).toBe(false);
  });
});

describe('an address', () => {
  async function asked(status: number, body: string, handler = {}) {
    const got: { readonly headers: Record<string, unknown>; readonly body: string }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        got.push({ headers: request.headers, body: text });
        if (status !== 0) response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const outcome = await hooksOf([{ type: 'http', url, ...handler }], { env: { TOKEN: 'secret', OTHER: 'x' } }).run(prompt());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return { outcome, got };
  }

  it('gets the input, and its answer is read like a command', async () => {
    const { outcome, got } = await asked(200, JSON.stringify({ decision: 'block', reason: 'not today' }), {
      headers: { authorization: 'Bearer ${TOKEN}', other: 'a$OTHER' },
      allowedEnvVars: ['TOKEN'],
    });
    expect(outcome.blocks).toMatchObject([{ text: 'not today' }]);
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ hook_event_name: 'UserPromptSubmit', prompt: 'go' });
    expect(got[0]?.headers).toMatchObject({ authorization: 'Bearer secret', other: 'a', 'content-type': 'application/json' });
  });

  it.each([500, 302, 404])('status %i is a failure that stops nothing', async (status) => {
    const { outcome, got } = await asked(status, JSON.stringify({ decision: 'block' }));
    expect(outcome).toMatchObject({ blocks: [], notes: [{ text: expect.stringContaining(`failed: it answered with status ${status}`) }] });
    expect(got).toHaveLength(1);
  });

  it('one that does not answer is left at its limit; one that is not there is said', async () => {
    expect(notesOf((await asked(0, '', { timeout: 0.3 })).outcome)[0]).toContain('took longer than 0.3 s');
    const gone = await hooksOf([{ type: 'http', url: 'http://127.0.0.1:1/x' }]).run(prompt());
    expect(notesOf(gone)[0]).toMatch(/failed: /);
  });
});

describe('a hook that breaks', () => {
  const deny = command('echo no >&2; exit 2');
  const deep = `node -e 'process.stdout.write("{\\"decision\\":" + "[".repeat(50000) + "]".repeat(50000) + "}")'`;
  const call: HookCall = { event: 'PreToolUse', subject: 'Bash', fields: { tool_name: 'Bash', tool_input: {} } };

  it('takes nothing from the others, and objects where it guards something', async () => {
    const others = await hooksOf([command(deep), deny], { event: 'PreToolUse' }).run(call);
    expect(others.permission).toMatchObject({ type: 'deny', reason: 'no' });
    expect(notesOf(others).join('\n')).toContain('failed: ');
    const alone = await hooksOf([command(deep, { onFailure: 'block' })], { event: 'PreToolUse' }).run(call);
    expect(alone.permission?.type).toBe('deny');
  });

  it('objects where it guards something, also by an answer that nobody can read', async () => {
    for (const output of ['{"decision": "block"', 'checking\n{"decision": "block"}', `{"reason": "${'x'.repeat(1_100_000)}"}`]) {
      const work = command(`node -e 'process.stdout.write(require("fs").readFileSync("said", "utf8"))'`);
      writeFileSync(join(folder, 'said'), output);
      expect((await hooksOf([work], { event: 'PreToolUse' }).run(call)).permission).toBeUndefined();
      const guard = hooksOf([{ ...work, onFailure: 'block' }], { event: 'PreToolUse' });
      expect((await guard.run(call)).permission).toMatchObject({ type: 'deny', reason: expect.stringContaining('can’t be read') });
    }
  });

  it('beside the work costs a line', async () => {
    const said: Late[] = [];
    const hooks = hooksOf([command(deep, { async: true })], { event: 'PreToolUse', late: (late) => said.push(late) });
    await hooks.run(call);
    await hooks.close(20_000);
    expect(said.map(({ outcome }) => notesOf(outcome).join())).toEqual([expect.stringContaining('failed: ')]);
  });

  it('may have any limit above 0', async () => {
    for (const type of ['http', 'prompt', 'mcp_tool', 'command']) {
      const work = { type, command: 'sleep 9', url: 'http://127.0.0.1:9', prompt: 'p', server: 's', tool: 't', timeout: 0.0005 };
      const hang = (): Promise<never> => new Promise(() => undefined);
      const hooks = hooksOf([work, deny], { event: 'PreToolUse', judge: hang, callTool: hang });
      expect((await hooks.run(call)).permission).toMatchObject({ type: 'deny', reason: 'no' });
    }
  });
});
