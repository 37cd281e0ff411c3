import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandOptions, type CommandResult, runCommand } from './run-command.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidenote-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Ended = Extract<CommandResult, { type: 'ended' }>;
async function run(command: string, options: Partial<CommandOptions> = {}): Promise<Ended> {
  const result = await runCommand({ command, cwd: folder, env: process.env, capture: { file: join(folder, 'out.log') }, ...options });
  if (result.type !== 'ended') throw new Error(result.why);
  return result;
}
const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
const onLinux = process.platform === 'linux';

describe('a command that ends', () => {
  it('gives its output and exit code', async () => {
    expect(await run('echo one; echo two >&2; echo three; exit 3')).toEqual({
      type: 'ended',
      exit: 3,
      signal: null,
      timedOut: false,
      aborted: false,
      output: 'one\ntwo\nthree\n',
      totalChars: 14,
    });
  });

  it('runs in its folder with its environment and an empty stdin', async () => {
    const { output } = await run('cat; echo "$MARK"; pwd -P', { env: { PATH: process.env['PATH'], MARK: 'ASH' } });
    expect(output).toMatch(/^ASH\n.*sidenote-run-/);
  });

  it('names the signal that ended it', async () => {
    expect(await run('kill -9 $$')).toMatchObject({ exit: null, signal: 'SIGKILL', timedOut: false, aborted: false });
  });

  it('never splits a character that arrives in pieces', async () => {
    const { output } = await run(`printf '\\xf0\\x9f'; sleep 0.1; printf '\\xa7\\x8a'`);
    expect(output).toBe('\u{1F9CA}');
  });

  it('tells output while it runs', async () => {
    const parts: string[] = [];
    await run('echo first; sleep 0.1; echo second', { onOutput: (text) => parts.push(text) });
    expect(parts.join('')).toBe('first\nsecond\n');
    expect(parts.length).toBeGreaterThan(1);
  });
});

describe('long output', () => {
  it('keeps head and tail, and all of it in a file', async () => {
    const result = await run('yes "some words of output in a line" | head -c 12000000');
    expect(result.totalChars).toBe(12_000_000);
    expect(result.output.length).toBeLessThan(31_000);
    expect(result.output).toContain('characters left out; all of it in ');
    expect(readFileSync(result.file ?? '', 'utf8')).toHaveLength(12_000_000);
  });

  it.each([0, 1])('cuts between characters, offset %i', async (shift) => {
    const wide = `${'x'.repeat(shift)}${'\u{1F9CA}'.repeat(40_000)}`;
    writeFileSync(join(folder, 'wide.txt'), wide);
    const { output } = await run('cat wide.txt');
    expect(output.isWellFormed()).toBe(true);
    expect(output).not.toContain('\ufffd');
    expect(output.startsWith(wide.slice(0, 10_001 - shift))).toBe(true);
  });

  it('says when the file could not be written', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    const result = await run('yes | head -c 40000', { capture: { file: join(folder, 'a-file/out.log') } });
    expect(result.file).toBeUndefined();
    expect(result.output).toContain('could not be kept in a file');
  });

  it('stops the file at its limit', async () => {
    const file = join(folder, 'limited.log');
    const result = await run('yes | head -c 90000', { capture: { file, maxFile: 50_000 } });
    expect(readFileSync(file, 'utf8')).toHaveLength(50_000);
    expect(result.output).toContain('the first 50,000 characters in');
  });
});

describe('a command that does not end by itself', () => {
  it('is ended at its timeout, with what it said so far', async () => {
    const result = await run('echo before; sleep 60', { timeoutMs: 300 });
    expect(result).toMatchObject({ timedOut: true, aborted: false, output: 'before\n' });
  });

  it('is ended on abort', async () => {
    const abort = new AbortController();
    const result = await run('echo started; sleep 60', { signal: abort.signal, onOutput: () => abort.abort() });
    expect(result).toMatchObject({ timedOut: false, aborted: true, output: 'started\n' });
  });

  it('does not start once aborted', async () => {
    expect(await run('echo never', { signal: AbortSignal.abort() })).toMatchObject({ aborted: true, output: '' });
  });

  it('takes its children with it, also those that ignore SIGTERM', async () => {
    const abort = new AbortController();
    const { output } = await run(`(trap '' TERM; echo $BASHPID; while :; do sleep 0.05; done) & (trap '' TERM; sleep 60) & wait`, {
      signal: abort.signal,
      graceMs: 100,
      onOutput: () => abort.abort(),
    });
    expect(isRunning(Number(output))).toBe(false);
  });

  it.runIf(onLinux)('finds children in a session of their own, orphans too', async () => {
    const abort = new AbortController();
    const { output } = await run(`setsid sh -c 'echo $$; sleep 60' & sh -c 'setsid sh -c "echo \\$\\$; sleep 60" &'; sleep 60`, {
      signal: abort.signal,
      graceMs: 100,
      onOutput: (() => {
        let all = '';
        return (text: string) => {
          all += text;
          if (all.split('\n').length > 2) abort.abort();
        };
      })(),
    });
    const pids = output.trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });
});

describe('a process left behind', () => {
  it('neither holds up the result nor dies of it', async () => {
    const before = performance.now();
    const { output, exit } = await run('(while :; do echo tick; sleep 0.05; done) & echo "pid $!"');
    expect(performance.now() - before).toBeLessThan(5_000);
    const pid = Number(/pid (\d+)/.exec(output)?.[1]);
    expect(exit).toBe(0);
    expect(isRunning(pid)).toBe(onLinux);
    process.kill(pid, 'SIGKILL');
  });
});

describe('a command that cannot start', () => {
  it('says why', async () => {
    const options = { command: 'true', env: process.env, capture: { file: join(folder, 'x.log') } };
    expect(await runCommand({ ...options, cwd: join(folder, 'missing') })).toMatchObject({ type: 'not-started', why: /does not exist/ });
    expect(await runCommand({ ...options, cwd: folder, command: `: ${'x'.repeat(3_000_000)}` })).toMatchObject({
      type: 'not-started',
      why: expect.stringContaining('script file') as string,
    });
  });
});
