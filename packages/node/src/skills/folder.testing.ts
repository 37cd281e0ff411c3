/** For tests: a home and a project with files, and a library that knows no other place. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SkillLibrary, type SkillOptions } from './library.js';

export type Folders = {
  readonly root: string;
  readonly cwd: string;
  readonly home: string;
  /** By path, relative to the project; `../home/…` for the person's. */
  put(files: Readonly<Record<string, string>>): Promise<void>;
  link(path: string, target: string): Promise<void>;
  library(options?: Partial<SkillOptions>): SkillLibrary;
  remove(): Promise<void>;
};

export async function folders(): Promise<Folders> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'skills-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(join(cwd, '.git'), { recursive: true });
  await mkdir(home);
  const made = async (name: string): Promise<string> => {
    const path = join(cwd, name);
    await mkdir(dirname(path), { recursive: true });
    return path;
  };
  return {
    root,
    cwd,
    home,
    async put(files) {
      for (const [name, text] of Object.entries(files)) await writeFile(await made(name), text);
    },
    async link(path, target) {
      await symlink(target, await made(path));
    },
    library: (options = {}) => new SkillLibrary({ cwd, home, env: {}, managed: { folders: [join(root, 'managed')] }, ...options }),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
