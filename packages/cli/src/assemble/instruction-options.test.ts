import type { LoadedSettings, SettingsLayer } from '@sidenote/node';
import { expect, it } from 'vitest';
import { parseFlags } from '../flags/parse.js';
import type { Io } from '../io.js';
import { portOptions } from './instruction-options.js';
import { setUp } from './set-up.js';

const nothing = { write: () => {} };
const io: Io = {
  args: [],
  env: {},
  cwd: '/',
  home: '/nowhere',
  stdin: (async function* () {})(),
  stdout: nothing,
  stderr: nothing,
  signal: new AbortController().signal,
};

async function options(args: readonly string[], settings: LoadedSettings['settings'], layer: SettingsLayer = 'project') {
  const setup = await setUp(io, parseFlags(args), { dry: true });
  const origin = { layer, file: '/w/settings.json', folder: '/w' };
  const keys = ['claudeMd', 'claudeMdExcludes.0'];
  return portOptions(
    { ...setup, loaded: { settings, origins: new Map(keys.map((key) => [key, origin])), warnings: [], files: new Map() } },
    'some-model',
  );
}

it('names the file of every exclude, and the window of the model', async () => {
  const { excludes, instructions } = await options([], {
    claudeMdExcludes: ['**/a.md'],
    instructions: { files: ['A.md'], importDepth: 2 },
  });
  expect(excludes?.()).toEqual([{ glob: '**/a.md', file: '/w/settings.json' }]);
  expect(instructions).toMatchObject({ files: ['A.md'], importDepth: 2, bare: false, sources: ['user', 'project', 'local'] });
  expect(instructions?.window?.()).toBe(200_000);
});

it('takes instructions from managed settings only', async () => {
  const text = { claudeMd: 'Be kind.' };
  expect((await options([], text)).instructions?.managed).toBeUndefined();
  expect((await options([], text, 'managed')).instructions?.managed).toEqual({ text: { text: 'Be kind.', file: '/w/settings.json' } });
});

it('counts in a bare run what the command line names, and not what settings name', async () => {
  const permissions = { additionalDirectories: ['/more'] };
  expect((await options(['--add-dir', '/tmp'], { permissions })).instructions?.directories).toEqual(['/more', '/tmp']);
  expect((await options(['--bare', '--add-dir', '/tmp'], { permissions })).instructions?.directories).toEqual(['/tmp']);
});
