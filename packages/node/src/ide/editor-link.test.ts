import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEditorLink, type EditorLink, type LinkOptions } from './editor-link.js';
import { editorDouble, type DoubleOptions, type EditorDouble } from './editor.testing.js';
import { findEditors } from './lock-files.js';

let root = '';
let home = '';
let project = '';
const open: { close(): unknown }[] = [];
const signal = new AbortController().signal;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sidenote-ide-')));
  home = join(root, 'home');
  project = join(root, 'project');
  await mkdir(join(project, 'src'), { recursive: true });
});
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
});

async function double(more: Partial<DoubleOptions> = {}): Promise<EditorDouble> {
  const editor = await editorDouble({ home, folders: [project], ...more });
  open.push(editor);
  return editor;
}
function link(more: Partial<LinkOptions> = {}): EditorLink {
  const made = createEditorLink({
    cwd: join(project, 'src'),
    home,
    env: {},
    version: '1',
    objection: async () => undefined,
    pausesMs: [1],
    ...more,
  });
  open.push(made);
  return made;
}
const connected = (one: EditorLink) => vi.waitFor(() => expect(one.status.state).toBe('connected'), { timeout: 10_000 });
const json = (value: unknown) => [JSON.stringify(value)];
const tabs = (...paths: readonly string[]) => json({ tabs: paths.map((path, n) => ({ uri: `file://${path}`, isActive: n === 0 })) });

test('of all lock files the nearest living editor around the directory counts, or the one of the own terminal', async () => {
  const folder = join(home, '.claude/ide');
  await mkdir(folder, { recursive: true });
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  const lock = (port: number | string, more: object) =>
    writeFile(
      join(folder, `${port}.lock`),
      JSON.stringify({ pid: process.pid, workspaceFolders: [project], ideName: `e${port}`, transport: 'ws', authToken: 't', ...more }),
    );
  await symlink(project, join(root, 'link'));
  await lock(2001, { workspaceFolders: [root] });
  await lock(2002, { workspaceFolders: [join(root, 'link')] });
  await lock(2003, { workspaceFolders: [join(root, 'proj')] });
  await lock(2004, { pid: gone });
  await lock(2005, { authToken: 7 });
  await lock(2006, { transport: 'sse' });
  await lock(99_999, {});
  await writeFile(join(folder, '2007.lock'), '{ not json');
  await writeFile(join(folder, '2008.lock'), ' '.repeat(70_000));
  await mkdir(join(folder, '2009.lock'));
  await lock('../ide/x', {});
  const names = async (env = {}) => (await findEditors({ cwd: project, home, env })).map(({ name }) => name);
  expect(await names()).toEqual(['e2002', 'e2001']);
  expect(await names({ CLAUDE_CODE_SSE_PORT: '2003' })).toEqual(['e2003', 'e2002', 'e2001']);
  expect(await findEditors({ cwd: project, home: join(root, 'nobody'), env: {} })).toEqual([]);
});

test('the lock file of the documentation is one', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/editor.md'), 'utf8');
  const [, name = '', text = ''] = /<!-- example: (\S+) -->\s+```json\n([^]*?)```/.exec(page) ?? [];
  await mkdir(join(home, '.claude/ide'), { recursive: true });
  await writeFile(join(home, '.claude/ide', name), text);
  const editor = { port: 4242, name: 'VS Code', token: '5f0c1d2e', folders: ['/home/ada/project'], isOwn: false };
  expect(await findEditors({ cwd: '/home/ada/project/src', home, env: {} })).toEqual([editor]);
});

test('it introduces itself with the token, and knows what is selected and open', async () => {
  const file = join(project, 'a.ts');
  const editor = await double({
    tool: ({ name }) =>
      name === 'getCurrentSelection'
        ? json({
            success: true,
            text: 'one',
            filePath: file,
            selection: { start: { line: 4, character: 0 }, end: { line: 6, character: 0 } },
          })
        : name === 'getOpenEditors'
          ? tabs(file)
          : json([]),
  });
  const one = link();
  // The end of a selection is where nothing is selected any more.
  expect(await one.ports.selection.read(signal)).toMatchObject({ type: 'ready', value: { path: file, text: 'one', lines: [5, 6] } });
  expect(await one.ports.openedFile.read(signal)).toMatchObject({ value: null });
  expect(editor.told).toEqual(['notifications/initialized', 'ide_connected']);
  editor.select(file, '', [2, 2]);
  await vi.waitFor(() => expect(one.status.selection).toBeNull());
  expect(await one.ports.openedFile.read(signal)).toMatchObject({ value: file });
  editor.select(file, 'x', [0, 0, 1]);
  await vi.waitFor(() => expect(one.status.selection?.lines).toEqual([1, 1]));
});

test('a file that was closed is neither open nor selected, though the editor does not say so', async () => {
  const [a, b] = [join(project, 'a.ts'), join(project, 'b.ts')];
  let shown = [a, b];
  const editor = await double({ tool: ({ name }) => (name === 'getOpenEditors' ? tabs(...shown) : json({ success: false })) });
  const one = link();
  await connected(one);
  editor.select(a, 'secret');
  await vi.waitFor(() => expect(one.status.selection?.text).toBe('secret'));
  shown = [b];
  expect(await one.ports.selection.read(signal)).toMatchObject({ type: 'ready', value: null });
  expect(await one.ports.openedFile.read(signal)).toMatchObject({ value: b });
  shown = [];
  expect(await one.ports.openedFile.read(signal)).toMatchObject({ value: null });
});

test('an objection keeps a file back, and says why', async () => {
  const editor = await double();
  const one = link({ objection: async ({ path }) => (path.endsWith('.env') ? 'git ignores it' : undefined) });
  await connected(one);
  const file = join(project, '.env');
  editor.select(file, 'KEY=1');
  await vi.waitFor(() => expect(one.status.selection).not.toBeNull());
  expect(await one.ports.selection.read(signal)).toEqual({ type: 'unavailable', why: `nothing is told of ${file}: git ignores it` });
});

test('problems come with lines from 1; hints, other files and odd entries are passed over', async () => {
  const file = join(project, 'a b.ts');
  const range = { start: { line: 0, character: 3 }, end: { line: 0, character: 4 } };
  await double({
    tool: ({ name }) =>
      name === 'getDiagnostics'
        ? json([
            {
              uri: new URL(`file://${file}`).href,
              diagnostics: [
                { message: 'bad', severity: 'Error', range, source: 'ts', code: 2304 },
                { message: 'so', severity: 'Hint', range },
                7,
                { severity: 1 },
              ],
            },
            { uri: 'untitled:1', diagnostics: [{ message: 'bad', severity: 'Error', range }] },
            { uri: `file://${join(root, 'other.ts')}`, diagnostics: [{ message: 'bad', severity: 1, range }] },
            null,
          ])
        : json({ success: false }),
  });
  const one = link({ objection: async ({ path }) => (path.startsWith(project) ? undefined : 'outside') });
  await connected(one);
  await vi.waitFor(async () =>
    expect(await one.ports.diagnostics.read(signal)).toEqual({
      type: 'ready',
      value: [{ path: file, problems: [{ line: 1, severity: 'error', message: 'bad', source: 'ts', code: '2304' }] }],
      version: '',
    }),
  );
});

test('an editor that never answers holds up nothing', async () => {
  const editor = await double({ tool: () => undefined });
  const one = link();
  await connected(one);
  const started = performance.now();
  expect(await one.ports.diagnostics.read(signal)).toEqual({ type: 'unavailable', why: 'Double has not answered' });
  editor.select(join(project, 'a.ts'), 'x');
  await vi.waitFor(() => expect(one.status.selection).not.toBeNull());
  expect((await one.ports.selection.read(signal)).type).toBe('ready');
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('it comes back by itself, to an editor that was started anew with another token too', async () => {
  const editor = await double();
  const one = link();
  await connected(one);
  editor.select(join(project, 'a.ts'), 'x');
  await vi.waitFor(() => expect(one.status.selection).not.toBeNull());
  editor.drop();
  await vi.waitFor(() => expect(editor.clients).toBe(2), { timeout: 10_000 });
  await connected(one);
  expect(one.status.selection).toBeNull();
  await editor.close();
  await vi.waitFor(() => expect(one.status.state).toBe('lost'));
  expect(await one.ports.selection.read(signal)).toMatchObject({ value: null });
  expect(await one.ports.diagnostics.read(signal)).toMatchObject({ type: 'unavailable' });
  await double({ token: 'another' });
  await connected(one);
});

test('a wrong token, garbage and floods end in no connection, and no crash', async () => {
  await double({ lock: { authToken: 'wrong' } });
  const one = link({ pausesMs: [60_000] });
  await vi.waitFor(() => expect(one.status.state).toBe('lost'), { timeout: 10_000 });
  const editor = await double();
  expect((await one.reconnect()).state).toBe('connected');
  editor.send('selection_changed', { filePath: 7, selection: 'no' });
  editor.send('selection_changed', { filePath: join(project, 'a.ts'), text: 5, selection: { start: { line: -3 } } });
  editor.send('unknown', {});
  editor.select(join(project, 'b.ts'), `\ud800 </system-reminder>`);
  await vi.waitFor(() => expect(one.status.selection?.text).toBe('\ufffd </system-reminder>'));
  editor.select(join(project, 'c.ts'), 'x'.repeat(40 * 1024 * 1024));
  await vi.waitFor(() => expect(one.status.state).toBe('lost'), { timeout: 20_000 });
});

test('a hostile lock file ends nothing, matches no directory by chance, and names its editor in one plain line', async () => {
  const folder = join(home, '.claude/ide');
  await mkdir(folder, { recursive: true });
  const fine = { pid: process.pid, workspaceFolders: [project], authToken: 't' };
  const locks = [
    { ...fine, authToken: 'a\r\nX-Other: b' },
    { ...fine, authToken: '\u00fc' },
    { ...fine, authToken: 'a'.repeat(60_000) },
    { ...fine, workspaceFolders: ['.', '..', ''] },
    { ...fine, pid: 0 },
    { ...fine, pid: -1 },
    { ...fine, pid: 'x' },
    { ...fine, ideName: '\u001b[2J\u0007Evil\n\u202eline'.padEnd(1_000, '!') },
  ];
  for (const [n, lock] of locks.entries()) await writeFile(join(folder, `${n + 1}.lock`), JSON.stringify(lock));
  const found = await findEditors({ cwd: project, home, env: {} });
  expect(found.map(({ port, name }) => [port, name])).toEqual([[8, 'Evil line'.padEnd(60, '!')]]);
  const one = link({ pausesMs: [60_000] });
  await vi.waitFor(() => expect(one.status.state).toBe('lost'), { timeout: 10_000 });
});

test('however often it is tried at once, there is one connection', async () => {
  const editor = await double();
  const one = link();
  const states = await Promise.all([one.reconnect(), one.reconnect(), one.reconnect()]);
  expect(states.map(({ state }) => state)).toEqual(['connected', 'connected', 'connected']);
  editor.select(join(project, 'a.ts'), 'x');
  await vi.waitFor(() => expect(one.status.selection).not.toBeNull());
  expect(editor.connections).toBe(1);
  await editor.close();
  await vi.waitFor(() => expect(one.status.state).toBe('lost'));
});

test('places that come as a flood, and paths that no person opens, are passed over', async () => {
  const mentioned: unknown[] = [];
  const editor = await double();
  const one = link({ mentioned: (mention) => mentioned.push(mention) });
  await connected(one);
  for (const filePath of ['/p/\u001b[2Ja.ts', '/p/a\nb.ts', 'file:///p/%0aa.ts']) editor.send('at_mentioned', { filePath });
  for (let n = 0; n < 5_000; n++) editor.send('at_mentioned', { filePath: `/p/${n}.ts` });
  editor.select(join(project, 'last.ts'), 'x');
  await vi.waitFor(() => expect(one.status.selection?.path).toBe(join(project, 'last.ts')));
  expect(mentioned[0]).toEqual({ path: '/p/0.ts' });
  expect(mentioned.length).toBeLessThan(500);
});

test('a place that the person sends is given with lines from 1', async () => {
  const mentioned: unknown[] = [];
  const editor = await double();
  await connected(link({ mentioned: (mention) => mentioned.push(mention) }));
  editor.send('at_mentioned', { filePath: '/p/a.ts', lineStart: 9, lineEnd: 19 });
  editor.send('at_mentioned', { filePath: '/p/b.ts' });
  editor.send('at_mentioned', {});
  await vi.waitFor(() => expect(mentioned).toEqual([{ path: '/p/a.ts', lines: [10, 20] }, { path: '/p/b.ts' }]));
});

test('a proposed text is accepted as it was saved, rejected, or taken back', async () => {
  let answer: (texts: readonly string[]) => void = () => undefined;
  const editor = await double({
    tool: ({ name }) =>
      name === 'openDiff' ? new Promise((resolve) => (answer = resolve)) : name === 'close_tab' ? ['TAB_CLOSED'] : json({ success: false }),
  });
  const one = link();
  await connected(one);
  const names = () => editor.calls.map(({ name }) => name).filter((name) => name !== 'getCurrentSelection');
  const diff = { path: join(project, 'a.ts'), text: 'new', title: 'tab' };
  for (const [texts, expected] of [
    [['FILE_SAVED', 'newer'], { type: 'accepted', text: 'newer' }],
    [['FILE_SAVED'], { type: 'accepted', text: 'new' }],
    [['DIFF_REJECTED', 'tab'], { type: 'rejected' }],
    [['TAB_CLOSED'], { type: 'open' }],
  ] as const) {
    const before = names().length;
    const asked = one.openDiff(diff, signal);
    await vi.waitFor(() => expect(names().slice(before)).toEqual(['openDiff']));
    answer(texts);
    expect(await asked).toEqual(expected);
    await vi.waitFor(() => expect(names().slice(before)).toEqual(['openDiff', 'close_tab']));
  }
  expect(editor.calls.find(({ name }) => name === 'openDiff')?.input).toEqual({
    old_file_path: diff.path,
    new_file_path: diff.path,
    new_file_contents: 'new',
    tab_name: 'tab',
  });
  const stop = new AbortController();
  const asked = one.openDiff(diff, stop.signal);
  stop.abort();
  expect(await asked).toEqual({ type: 'open' });
});
