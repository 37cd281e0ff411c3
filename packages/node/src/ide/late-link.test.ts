import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { editorDouble, type EditorDouble } from './editor.testing.js';
import { lateEditorLink } from './late-link.js';

const never = new AbortController().signal;
let root = '';
let editor: EditorDouble | undefined;
afterEach(async () => {
  await editor?.close();
  await rm(root, { recursive: true });
});

it('says nothing until an editor is there, and is connected from the next look on', async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'late-link-')));
  const link = lateEditorLink({ cwd: root, home: root, env: {}, version: '0', objection: async () => undefined });
  const nothing = { type: 'ready', value: null };
  expect(await link.ports.selection.read(never)).toMatchObject(nothing);
  expect(await link.ports.openedFile.read(never)).toMatchObject(nothing);
  expect(await link.ports.diagnostics.read(never)).toMatchObject({ type: 'ready', value: [] });
  expect(await link.openDiff({ path: 'a', text: '', title: 'a' }, never)).toEqual({ type: 'open' });
  expect((await link.reconnect()).state).toBe('absent');
  const picked = { text: 'PICKED', filePath: join(root, 'a.ts'), selection: { start: { line: 0 }, end: { line: 0, character: 6 } } };
  editor = await editorDouble({
    home: root,
    folders: [root],
    tool: ({ name }) => [JSON.stringify(name === 'getCurrentSelection' ? picked : {})],
  });
  expect(link.status.state).toBe('absent');
  expect(await link.ports.selection.read(never)).toMatchObject({ type: 'ready', value: { text: 'PICKED' } });
  expect(link.status).toMatchObject({ state: 'connected', editor: { name: 'Double' } });
  expect(editor.clients).toBe(1);
  link.close();
});

it('connects to none that is found after it was closed', async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'late-link-')));
  editor = await editorDouble({ home: root, folders: [root] });
  const link = lateEditorLink({ cwd: root, home: root, env: {}, version: '0', objection: async () => undefined });
  link.close();
  expect(await link.ports.selection.read(never)).toMatchObject({ type: 'ready', value: null });
  expect(link.status.state).toBe('absent');
});
