import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectState, rememberProject } from './state-file.js';

let root: string;
let cwd: string;
let configDir: string;
let file: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'state-')));
  [cwd, configDir] = [join(root, 'work'), join(root, 'config')];
  file = join(configDir, 'state.json');
  mkdirSync(cwd);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const stored = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

test('an answer is found again, by any link to the folder, and leaves other answers alone', async () => {
  expect(await projectState({ cwd, configDir })).toEqual({});
  expect(existsSync(configDir)).toBe(false);
  expect(await rememberProject({ cwd, configDir, answers: { trusted: true } })).toEqual({ type: 'stored', folder: cwd });
  symlinkSync(cwd, join(root, 'link'));
  await rememberProject({ cwd: join(root, 'link'), configDir, answers: { externalImports: 'declined' } });
  expect(await projectState({ cwd: join(root, 'link'), configDir })).toEqual({ trusted: true, externalImports: 'declined' });
  expect(stored()).toEqual({ projects: { [cwd]: { trusted: true, externalImports: 'declined' } } });
  expect(readdirSync(configDir)).toEqual(['state.json']);
});

test('an answer holds for the whole repository, but not for what lies around it', async () => {
  mkdirSync(join(cwd, '.git'));
  mkdirSync(join(cwd, 'a/b'), { recursive: true });
  expect(await rememberProject({ cwd: join(cwd, 'a'), configDir, answers: { trusted: true } })).toEqual({ type: 'stored', folder: cwd });
  expect(await projectState({ cwd: join(cwd, 'a/b'), configDir })).toEqual({ trusted: true });
  expect(await projectState({ cwd: root, configDir })).toEqual({});
  writeFileSync(file, JSON.stringify({ projects: { [cwd]: { trusted: true }, [join(cwd, 'a')]: { trusted: false } } }));
  expect(await projectState({ cwd: join(cwd, 'a'), configDir })).toEqual({ trusted: false });
});

test('what else is in the file stays', async () => {
  mkdirSync(configDir);
  writeFileSync(file, JSON.stringify({ seen: 1, projects: { '/x': { trusted: true, more: 2 }, [cwd]: { more: 3 } } }));
  await rememberProject({ cwd, configDir, answers: { trusted: false } });
  expect(stored()).toEqual({ seen: 1, projects: { '/x': { trusted: true, more: 2 }, [cwd]: { more: 3, trusted: false } } });
});

test.each(['{"projects": {', '[]', '{"projects": 3}', 'null', '\0\0\0'])(
  'a broken file (%j) holds no answers, and is kept beside the next ones',
  async (broken) => {
    mkdirSync(configDir);
    writeFileSync(file, broken);
    expect(await projectState({ cwd, configDir })).toEqual({});
    await rememberProject({ cwd, configDir, answers: { trusted: true } });
    expect(await projectState({ cwd, configDir })).toEqual({ trusted: true });
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(broken);
  },
);

test('answers of the wrong type count as not given', async () => {
  mkdirSync(configDir);
  writeFileSync(file, JSON.stringify({ projects: { [cwd]: { trusted: 'yes', externalImports: true } } }));
  expect(await projectState({ cwd, configDir })).toEqual({});
});

test('answers given at the same moment are all stored', async () => {
  const folders = Array.from({ length: 12 }, (_, n) => join(root, `p${n}`));
  for (const folder of folders) mkdirSync(folder);
  await Promise.all(folders.map((cwd) => rememberProject({ cwd, configDir, answers: { trusted: true } })));
  expect(stored()).toEqual({ projects: Object.fromEntries(folders.map((folder) => [folder, { trusted: true }])) });
});

test('a folder that can’t be written to is told', async () => {
  writeFileSync(configDir, '');
  expect(await rememberProject({ cwd, configDir, answers: { trusted: true } })).toMatchObject({
    type: 'failed',
    why: expect.stringMatching(/^E/),
  });
});
