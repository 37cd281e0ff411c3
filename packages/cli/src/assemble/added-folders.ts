/** The folders of `--add-dir`, and whether each is trusted: by this run, by an answer of its own, or as a part of the project. */
import { isWithin, projectRoot, projectState, realPathOf, type AddedFolder } from '@sidenote/node';
import { resolve } from 'node:path';
import { listed, switched, type Flags } from '../flags/parse.js';

type Options = { readonly cwd: string; readonly configDir: string; readonly flags: Flags; readonly trusted: boolean };

export async function addedFolders({ cwd, configDir, flags, trusted }: Options): Promise<readonly AddedFolder[]> {
  const given = listed(flags, 'add-dir') ?? [];
  if (given.length === 0) return [];
  const isAll = switched(flags, 'trust') || switched(flags, 'dangerously-skip-permissions');
  const root = await projectRoot(cwd);
  return Promise.all(
    given.map(async (folder) => {
      const path = await realPathOf(resolve(cwd, folder));
      const isPart = trusted && isWithin(root, path);
      return { path, trusted: isAll || isPart || (await projectState({ cwd: path, configDir })).trusted === true };
    }),
  );
}
