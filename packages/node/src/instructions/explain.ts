/** Why each instruction file is told or not: every candidate of a working directory, those that wait included. */
import type { InstructionFile } from '@sidenote/engine';
import { loadBase, type Base } from './base.js';
import { plain } from './instruction-files.js';
import { loadPlaces, type Loaded } from './load.js';
import { foldersTo } from './locate.js';
import { misnamedFiles } from './misnamed.js';
import type { InstructionOptions } from './options.js';
import { foldersWithFiles } from './waiting.js';

/** `match` gives the glob of a `scoped` file that an absolute path matches. */
export type ExplainedFile = InstructionFile & { readonly match?: (path: string) => string | undefined };

/**
 * All that `instructionFiles` gives, files that are `off` in this run, imports of `scoped` files, and `nested` files of
 * folders below, which wait for something there to be touched, and files that look meant and are `misnamed`. Of a very large tree the nearest folders are looked
 * through, and an entry says so. Never rejects; reads only.
 */
export async function explainInstructions(options: InstructionOptions): Promise<readonly ExplainedFile[]> {
  const base = await loadBase(options);
  const files = [...(await withImports(base.files))];
  const waiting = base.at.off('project') === undefined || base.folders.length > 1 ? await waitingFiles(base) : NONE;
  const added = base.folders.flatMap(({ added }) => added ?? []);
  files.push(...waiting.files, ...misnamedFiles({ ...base, way: [...added, ...foldersTo(base.cwd)], below: waiting.folders }));
  return files.map((file) => (file.scoped === undefined ? plain(file) : { ...plain(file), match: file.scoped.match }));
}

/** Imports of a waiting file wait with it. */
async function withImports(files: readonly Loaded[]): Promise<readonly Loaded[]> {
  const all: Loaded[] = [];
  for (const file of files) {
    all.push(file);
    const imports = await withImports((await file.scoped?.imports()) ?? []);
    all.push(...imports.map((one) => (one.status === 'loaded' ? { ...one, status: 'scoped' } : one)));
  }
  return all;
}

type Below = { readonly files: readonly Loaded[]; readonly folders: readonly string[] };
const NONE: Below = { files: [], folders: [] };

async function waitingFiles(base: Base): Promise<Below> {
  const all: Loaded[] = [];
  const below: string[] = [];
  for (const { path, added } of base.folders) {
    if (added === undefined && base.at.off('project') !== undefined) continue;
    const { folders, whole } = foldersWithFiles(path, [...base.at.files, '.claude', 'CLAUDE.local.md']);
    below.push(...folders);
    const files = await withImports(
      await loadPlaces(
        folders.flatMap((folder) => base.places(folder, added)),
        base.context,
      ),
    );
    all.push(...files.map((file) => (file.status === 'loaded' ? waiting(file) : file)));
    if (whole) continue;
    const reason = 'there are more folders below than are looked through; files in the others are told when something there is touched';
    all.push({ path, scope: 'project', text: '', status: 'unknown', reason });
  }
  return { files: all, folders: below };
}

function waiting(file: Loaded): Loaded {
  return { ...file, status: 'nested', reason: `waits until something in its folder is touched; ${file.reason}` };
}
