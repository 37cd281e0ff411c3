import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bashLimits, bashTool } from './bash.js';
import { taskOutputTool } from './task-output.js';
import { taskStopTool } from './task-stop.js';
import { type Bench, openBench, textOf } from './tools.testing.js';

let bench: Bench;
beforeEach(() => {
  bench = openBench();
});
afterEach(() => bench.close());
const bash = (input: object, context = {}) => bench.use(bashTool(bench.environment), input, context);

describe('Bash', () => {
  it('gives the output', async () => {
    expect(await bash({ command: 'echo hello; pwd' })).toEqual({ content: [{ type: 'text', text: `hello\n${bench.cwd}` }] });
  });

  it('starts each call in the working directory', async () => {
    await bash({ command: 'mkdir sub && cd sub' });
    expect(textOf(await bash({ command: 'pwd' }))).toBe(bench.cwd);
  });

  it('counts the files and folders that it names as touched, and nothing else', async () => {
    bench.put('d/f.txt', 'one');
    bench.put('e/g.txt', 'two');
    const touched = async (command: string) =>
      ((await bash({ command })).effects ?? []).map((effect) =>
        effect.type === 'touched' ? effect.path.slice(bench.cwd.length + 1) : '?',
      );
    expect(await touched('cd d && cat f.txt')).toEqual(['d']);
    expect(await touched('cat "d/f.txt" 2>/dev/null | grep one > e/new.txt')).toEqual(['d/f.txt', 'e/new.txt']);
    expect(await touched('for f in d/*; do cat "$f"; done; echo one . -x nowhere/y')).toEqual([]);
    expect(await touched('cat d/f.txt e/gone.txt; false')).toEqual(['d/f.txt']);
  });

  it('says that there was no output', async () => {
    expect(textOf(await bash({ command: 'true' }))).toBe('(no output)');
    expect(textOf(await bash({ command: 'false' }))).toBe('Exit code 1\n(no output)');
  });

  it('is an error with the code when the command fails', async () => {
    expect(await bash({ command: 'echo why >&2; exit 7' })).toEqual({
      content: [{ type: 'text', text: 'Exit code 7\nwhy' }],
      isError: true,
    });
    expect(textOf(await bash({ command: 'kill -9 $$' }))).toContain('Ended by SIGKILL');
  });

  it('ends a command at its timeout, never above the limit', async () => {
    const { environment } = bench;
    const limited = bashTool({ ...environment, env: { ...environment.env, BASH_MAX_TIMEOUT_MS: '200', BASH_DEFAULT_TIMEOUT_MS: '100' } });
    const outcome = await bench.use(limited, { command: 'echo early; sleep 60', timeout: 60_000 });
    expect(outcome.isError).toBe(true);
    expect(textOf(outcome)).toMatch(/^Timed out after 200 ms.*\nearly$/);
  });

  it('is interrupted by the signal, telling what came before', async () => {
    const abort = new AbortController();
    const parts: string[] = [];
    const progress = (text: string): void => {
      parts.push(text);
      abort.abort();
    };
    const outcome = await bash({ command: 'echo early; sleep 60' }, { signal: abort.signal, progress });
    expect(textOf(outcome)).toMatch(/^Interrupted.*\nearly$/);
    expect(parts).toEqual(['early\n']);
  });

  it('bounds long output, keeps whole characters, and names the file with all of it', async () => {
    bench.put('wide.txt', `x${'\u{1F9CA}'.repeat(60_000)}`);
    const text = textOf(await bash({ command: 'cat wide.txt' }));
    expect(text.length).toBeLessThan(31_000);
    expect(text.isWellFormed()).toBe(true);
    const file = /all of it in (\S+) …\]/.exec(text)?.[1] ?? '';
    expect(readFileSync(file, 'utf8')).toHaveLength(120_001);
  });

  it('leaves colours and control characters out', async () => {
    expect(textOf(await bash({ command: String.raw`printf '\033[31mred\033[0m'` }))).toBe('red');
    expect(textOf(await bash({ command: String.raw`printf 'one\0two\007\b\n\tthree'` }))).toBe('onetwo\n\tthree');
  });

  it('names the command for the person', () => {
    expect(
      bashTool(bench.environment).title({
        command: 'npm test',
        description: 'run tests',
        timeout: undefined,
        run_in_background: undefined,
      }),
    ).toBe('Bash npm test');
  });

  it('refuses an empty command', () => {
    expect(bashTool(bench.environment).parse({ command: '  ' })).toEqual({ ok: false, message: 'command is empty' });
  });
});

describe('bashLimits', () => {
  it.each([
    [{}, 120_000, 600_000],
    [{ BASH_DEFAULT_TIMEOUT_MS: '5000' }, 5_000, 600_000],
    [{ BASH_DEFAULT_TIMEOUT_MS: '5000', SIDENOTE_BASH_DEFAULT_TIMEOUT_MS: '7000' }, 7_000, 600_000],
    [{ BASH_DEFAULT_TIMEOUT_MS: '900000', BASH_MAX_TIMEOUT_MS: '1000' }, 900_000, 900_000],
    [{ BASH_MAX_TIMEOUT_MS: 'soon', BASH_DEFAULT_TIMEOUT_MS: '-1' }, 120_000, 600_000],
  ])('%j', (env, defaultMs, maxMs) => {
    expect(bashLimits(env)).toEqual({ defaultMs, maxMs });
  });
});

describe('in the background', () => {
  it('starts, is read piece by piece, and tells its end', async () => {
    const started = textOf(
      await bash({ command: 'echo $((5 * 8)); while ! [ -e go ]; do sleep 0.02; done; echo $((5 * 9))', run_in_background: true }),
    );
    const id = /bash-\w+/.exec(started)?.[0] ?? '';
    const read = (more: object = {}) => bench.use(taskOutputTool(bench.environment), { task_id: id, ...more }).then(textOf);
    let first = '';
    while (!first.endsWith('40')) first = await read({ block: false });
    expect(first).toMatch(/is running\.\n40$/);
    expect(await read({ timeout: 1 })).toMatch(/is running\.\n\(no new output\)$/);
    bench.put('go', '');
    expect(await read()).toMatch(/ended with exit code 0\.\n45$/);
  });

  it('is stopped', async () => {
    const started = textOf(
      await bash({ command: 'trap "touch stopped; exit" TERM; echo ready; while :; do sleep 0.02; done', run_in_background: true }),
    );
    const task_id = /bash-\w+/.exec(started)?.[0] ?? '';
    let output = '';
    while (!output.endsWith('ready')) output = textOf(await bench.use(taskOutputTool(bench.environment), { task_id, block: false }));
    expect(textOf(await bench.use(taskStopTool(bench.environment), { task_id }))).toContain('was stopped');
    expect(existsSync(join(bench.cwd, 'stopped'))).toBe(true);
  });

  it('says which commands there are when one is unknown', async () => {
    const stop = () => bench.use(taskStopTool(bench.environment), { task_id: 'x' });
    expect(await stop()).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('none was started') as string }] });
    await bash({ command: 'true', run_in_background: true });
    expect(textOf(await stop())).toMatch(/there are bash-\w+/);
  });
});
