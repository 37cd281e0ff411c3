import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLanguageServers, type LanguageServers } from './language-servers.js';
import { findTypescript, readServers } from './server-entry.js';

const MODULES = join(dirname(fileURLToPath(import.meta.url)), '../../../../node_modules');
const signal = new AbortController().signal;
let cwd = '';
let servers: LanguageServers | undefined;
/** Moved by hand; a message waits for the given time all the same. */
let time = 0;
const clock = { now: () => time, sleep: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)) };

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-lsp-')));
  time = 0;
});
afterEach(async () => {
  await servers?.close();
  servers = undefined;
  await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
});

async function put(name: string, text: string): Promise<string> {
  const path = join(cwd, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}
const read = (made: LanguageServers, written: readonly string[], touched = written) => made.port.read({ touched, written }, signal);
/** Reads until it is so: a server takes its time. */
const until = (made: LanguageServers, written: readonly string[], expected: unknown) =>
  vi.waitFor(async () => expect(await read(made, written)).toEqual(expected), { timeout: 60_000, interval: 50 });
const ready = (...value: readonly unknown[]) => ({ type: 'ready', value, version: '' });

/** Whose environment holds this: the server and all that it started. */
async function processesOf(mark: string): Promise<number> {
  const found = await Promise.all(
    (await readdir('/proc')).map((pid) => (/^\d+$/.test(pid) ? readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '') : '')),
  );
  return found.filter((text) => text.includes(mark)).length;
}

describe('typescript-language-server', () => {
  const typescript = (env: Readonly<Record<string, string | undefined>>): LanguageServers =>
    (servers = createLanguageServers({ servers: { entries: [], off: [] }, cwd, env, clock }));
  const onPath = (): Record<string, string> => ({ PATH: `${join(MODULES, '.bin')}:${process.env['PATH']}`, LSP_MARK: cwd });

  test('tells what is wrong in written files as they are, also where the cause lies in another; nothing of it outlives the session', async () => {
    await put('tsconfig.json', '{"compilerOptions": {"strict": true, "module": "nodenext", "types": []}, "include": ["*.ts"]}');
    const [a, b] = [
      await put('a.ts', 'export const a = 1;\n'),
      await put('b.ts', "import { a, c } from './a.js';\nexport const b: string = a;\nexport const d = c;\n"),
    ];
    const made = typescript(onPath());
    expect(made.servers).toEqual([]);
    await until(
      made,
      [b, a],
      ready(
        {
          path: b,
          problems: [
            expect.objectContaining({ code: '2305', line: 1 }),
            expect.objectContaining({ code: '2322', line: 2, source: 'ts', severity: 'error' }),
          ],
        },
        { path: a, problems: [] },
      ),
    );
    expect(made.servers).toEqual([{ name: 'typescript', state: 'ready', files: 2 }]);
    await writeFile(a, "export const a = 'one';\nexport const c = 2;\n");
    const first = await read(made, [b, a]);
    // Either nothing yet, or what is true now.
    expect([ready(), ready({ path: b, problems: [] }, { path: a, problems: [] })]).toContainEqual(first);
    await until(made, [b, a], ready({ path: b, problems: [] }, { path: a, problems: [] }));
    await writeFile(b, 'export const b = (;\n');
    await until(made, [b, a], ready({ path: b, problems: [expect.objectContaining({ code: '1109' })] }, { path: a, problems: [] }));
    await unlink(b);
    await until(made, [b, a], ready({ path: a, problems: [] }));
    expect(await processesOf(`LSP_MARK=${cwd}`)).toBeGreaterThan(1);
    await made.close();
    expect(await processesOf(`LSP_MARK=${cwd}`)).toBe(0);
  }, 120_000);

  test('is the one of the project before the one of the PATH, up to the repository; none is none', async () => {
    await mkdir(join(cwd, '.git'));
    await mkdir(join(cwd, 'node_modules/.bin'), { recursive: true });
    await symlink(join(MODULES, 'typescript-language-server/lib/cli.mjs'), join(cwd, 'node_modules/.bin/typescript-language-server'));
    await mkdir(join(cwd, 'packages/x/.git'), { recursive: true });
    await mkdir(join(cwd, 'src'));
    expect((await findTypescript(join(cwd, 'src'), onPath()))?.command).toBe(join(cwd, 'node_modules/.bin/typescript-language-server'));
    expect((await findTypescript(join(cwd, 'packages/x'), onPath()))?.command).toBe(join(MODULES, '.bin/typescript-language-server'));
    expect(await findTypescript(join(cwd, 'packages/x'), { PATH: '' })).toBeUndefined();
    const made = typescript({ PATH: '/nowhere' });
    await rm(join(cwd, 'node_modules'), { recursive: true });
    expect(await read(made, [await put('a.ts', 'x')])).toEqual(ready());
    expect(made.servers).toEqual([]);
  });
});

describe('servers of settings', () => {
  const words = (more: object = {}) => {
    const command = {
      command: process.execPath,
      args: [join(import.meta.dirname, 'server.testing.mjs')],
      extensionToLanguage: { '.w': 'words' },
      maxRestarts: 1,
    };
    const { entries, problems } = readServers({ words: { ...command, ...more } });
    expect(problems).toEqual([]);
    return (servers = createLanguageServers({ servers: { entries, off: [] }, cwd, env: process.env, clock }));
  };
  const wrong = (path: string, message: string) => ({ path, problems: [{ line: 2, severity: 'error', message }] });

  test('what is published for the version counts at once, of an older one never', async () => {
    const made = words();
    const file = await put('a.w', 'publish now first');
    await until(made, [file], ready(wrong(file, 'first')));
    await writeFile(file, 'publish 1 stale\npublish now second');
    await until(made, [file], ready(wrong(file, 'second')));
    await writeFile(file, 'publish 2 stale');
    for (let n = 0; n < 5; n++) expect(await read(made, [file])).toEqual(ready());
  });

  test('what is published without a version counts once it has been quiet for a second', async () => {
    const made = words();
    const file = await put('a.w', 'publish none old\npublish none -');
    await vi.waitFor(async () => {
      expect(await read(made, [file])).toEqual(ready());
      expect(made.servers[0]?.files).toBe(1);
    }, 20_000);
    await vi.waitFor(async () => {
      time += 999;
      expect(await read(made, [file])).toEqual(ready({ path: file, problems: [] }));
    }, 20_000);
    await writeFile(file, 'publish none new');
    expect(await read(made, [file])).toEqual(ready());
  });

  test('a server that says nothing is said to be silent after a while, and old problems stay untold', async () => {
    const made = words();
    const file = await put('a.w', 'publish now old');
    await until(made, [file], ready(wrong(file, 'old')));
    await writeFile(file, 'silent');
    expect(await read(made, [file])).toEqual(ready());
    time += 20_000;
    expect(await read(made, [file])).toEqual({ type: 'unavailable', why: `no fresh result from words for ${file}` });
  });

  test('a change of one file makes what was said of another uncertain', async () => {
    const made = words();
    const [a, b] = [await put('a.w', 'publish now of a'), await put('b.w', 'publish now of b')];
    const both = async () => {
      time += 1_000;
      expect(await read(made, [a, b])).toEqual(ready(wrong(a, 'of a'), wrong(b, 'of b')));
    };
    await vi.waitFor(both, 20_000);
    await writeFile(a, 'publish now -');
    await until(made, [a, b], ready({ path: a, problems: [] }));
    time += 1_000;
    expect(await read(made, [a, b])).toEqual(ready({ path: a, problems: [] }, wrong(b, 'of b')));
  });

  test('one that crashes is started again, up to its limit, and then said to be gone', async () => {
    const made = words();
    const file = await put('a.w', 'exit');
    await vi.waitFor(
      async () =>
        expect(await read(made, [file])).toEqual({ type: 'unavailable', why: 'words: it ended with exit code 3; given up after 2 starts' }),
      { timeout: 30_000 },
    );
    await writeFile(file, 'publish now fine');
    expect(await read(made, [file])).toMatchObject({ type: 'unavailable' });
  });

  test('neither floods nor a command that is none break anything', async () => {
    const flood = words({ maxRestarts: 0 });
    const file = await put('a.w', 'flood');
    await vi.waitFor(
      async () => expect(await read(flood, [file])).toMatchObject({ type: 'unavailable', why: expect.stringContaining('given up') }),
      { timeout: 30_000 },
    );
    await flood.close();
    const none = words({ command: join(cwd, 'nothing'), maxRestarts: 0 });
    await vi.waitFor(async () =>
      expect(await read(none, [file])).toMatchObject({ type: 'unavailable', why: expect.stringMatching(/^words: .*ENOENT/) }),
    );
  });

  test('one that asks without end and is gone before it is answered has ended, and nothing else has', async () => {
    const made = words({ maxRestarts: 0 });
    const file = await put('a.w', 'ask 20000');
    const gone = { type: 'unavailable', why: 'words: it ended with exit code 4; given up after 1 starts' };
    await vi.waitFor(async () => expect(await read(made, [file])).toEqual(gone), { timeout: 30_000 });
  });

  test('files outside of the directory, of other languages and of packages start nothing', async () => {
    const made = words();
    const files = [await put('a.txt', ''), await put('node_modules/a.w', 'exit'), join(tmpdir(), 'other.w')];
    expect(await read(made, files)).toEqual(ready());
    expect(made.servers).toEqual([]);
  });

  test('the example of the documentation is understood', async () => {
    const page = await readFile(join(import.meta.dirname, '../../../../docs/lsp.md'), 'utf8');
    const { lspServers } = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? '');
    const { entries, off, problems } = readServers(lspServers);
    expect([entries.map(({ name }) => name), off, problems]).toEqual([['go', 'rust'], ['typescript'], []]);
  });

  test('odd entries are left out, with what is wrong', () => {
    const fine = { command: 'gopls', extensionToLanguage: { '.go': 'go' } };
    const { entries, off, problems } = readServers({
      go: fine,
      typescript: false,
      a: 7,
      b: { ...fine, command: '' },
      c: { ...fine, args: 'x' },
      d: { ...fine, extensionToLanguage: {} },
      e: { ...fine, extensionToLanguage: { go: 'go' } },
      f: { ...fine, env: { A: 1 } },
      g: { ...fine, maxRestarts: -1 },
    });
    expect([entries.map(({ name }) => name), off, problems.length]).toEqual([['go'], ['typescript'], 7]);
    expect(problems[3]).toBe('the setting lspServers.d has no "extensionToLanguage", such as {".go": "go"}; it was left out');
  });
});
