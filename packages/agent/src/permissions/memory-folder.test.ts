import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asker, makeProject, type Project } from './permissions.testing.js';

let project: Project;
let memory = '';
beforeAll(async () => {
  project = await makeProject();
  memory = join(project.home, '.sidenote/projects/-p/memory');
});
afterAll(() => project.remove());

const types = (name: string, files: readonly string[], options: Parameters<typeof asker>[1] = {}) => {
  const { judge } = asker(project, { memoryDirectory: memory, ...options });
  return Promise.all(files.map(async (file) => [file, (await judge(name, join(memory, file))).type]));
};

it('lets memories be read and written, whether or not the folder is there yet, and nothing around them', async () => {
  for (const name of ['Write', 'Edit']) {
    expect(await types(name, ['MEMORY.md', 'deep/a.md', '../a.md', '../memory-2/a.md', 'run.sh', '.git/a.md', '.hidden.md'])).toEqual([
      ['MEMORY.md', 'allow'],
      ['deep/a.md', 'allow'],
      ['../a.md', 'ask'],
      ['../memory-2/a.md', 'ask'],
      ['run.sh', 'ask'],
      ['.git/a.md', 'ask'],
      ['.hidden.md', 'ask'],
    ]);
  }
  expect(await types('Read', ['MEMORY.md', '../a.md'])).toEqual([
    ['MEMORY.md', 'allow'],
    ['../a.md', 'ask'],
  ]);
});

it('refuses what only looks as if it lay there, also where everything else runs', async () => {
  await mkdir(memory, { recursive: true });
  await symlink(project.outside, join(memory, 'out'));
  await symlink(join(project.outside, 'new.md'), join(memory, 'new.md'));
  const files = ['out/a.md', 'new.md'];
  const refused = files.map((file) => [file, 'deny']);
  expect(await types('Write', files)).toEqual(refused);
  expect(await types('Write', files, { mode: 'bypassPermissions', rules: { allow: ['Write'] } })).toEqual(refused);
  expect(await types('Read', files)).toEqual(files.map((file) => [file, 'ask']));
});

it('stands behind rules and plan mode', async () => {
  expect(await types('Write', ['a.md'], { rules: { deny: ['Write'] } })).toEqual([['a.md', 'deny']]);
  expect(await types('Write', ['a.md'], { rules: { ask: ['Write'] } })).toEqual([['a.md', 'ask']]);
  expect(await types('Write', ['a.md'], { mode: 'plan' })).toEqual([['a.md', 'deny']]);
  expect(await types('Write', ['a.md'], { mode: 'dontAsk' })).toEqual([['a.md', 'allow']]);
});

it('is no leave for commands', async () => {
  const { bash } = asker(project, { memoryDirectory: memory });
  expect((await bash(`echo x > ${join(memory, 'a.md')}`)).type).toBe('ask');
});
