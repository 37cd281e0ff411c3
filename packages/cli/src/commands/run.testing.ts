/** The command in this process, on a project of its own: what it prints, and its exit status. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Io } from '../io.js';
import { run } from '../run.js';

export type Ran = { readonly status: number; readonly out: string; readonly err: string };
export type TestProject = {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  /** Files by path, relative to the project; `../home/…` for the person's. */
  put(files: Readonly<Record<string, string>>): Promise<void>;
  /** What the command works with when it is given these words; what it prints is lost. */
  io(...args: readonly string[]): Io;
  run(...args: readonly string[]): Promise<Ran>;
  /** The same with a terminal as standard output. */
  runOnTerminal(...args: readonly string[]): Promise<Ran>;
  remove(): Promise<void>;
};

export async function testProject(env: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'command-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(cwd);
  await mkdir(home);
  const io = (...args: readonly string[]): Io => ({
    args,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    cwd,
    home,
    stdin: (async function* () {})(),
    stdout: { write: () => undefined },
    stderr: { write: () => undefined },
    signal: new AbortController().signal,
  });
  const runWith = async (stdout: Pick<Io['stdout'], 'isTTY'>, args: readonly string[]): Promise<Ran> => {
    const written = { out: '', err: '' };
    const status = await run({
      ...io(...args),
      stdout: { ...stdout, write: (text) => void (written.out += text) },
      stderr: { write: (text) => void (written.err += text) },
    });
    return { status, ...written };
  };
  return {
    root,
    cwd,
    home,
    async put(files) {
      for (const [name, text] of Object.entries(files)) {
        const path = join(cwd, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
    },
    io,
    run: (...args) => runWith({}, args),
    runOnTerminal: (...args) => runWith({ isTTY: true }, args),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
