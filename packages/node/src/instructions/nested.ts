/** The port behind nested instructions: what a touched path brings, from folders below and from scoped files. */
import { dirname, join, relative, sep } from 'node:path';
import type { InstructionFile, Ports } from '@sidenote/engine';
import { isWithin, realPathOf } from '../files/paths.js';
import { lookSync } from '../files/stat.js';
import { loadBase, type Base } from './base.js';
import { plain } from './instruction-files.js';
import { loadPlaces, type Loaded } from './load.js';
import type { InstructionOptions } from './options.js';

/** Folders whose instruction files were written for others. */
export const foreignFolders: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * `below(paths)` gives the files of every folder strictly below the working directory (or below an added one) on the way
 * to each path, then scoped files that match a path as it is named or by its real place. Paths need not exist. Files
 * that `instructionFiles` tells are left out.
 */
export function nestedInstructions(options: InstructionOptions): NonNullable<Ports['nested']> {
  return {
    async below(paths) {
      if (paths.length === 0) return [];
      const base = await loadBase(options);
      const touched = await Promise.all(paths.map(async (path) => [await realPathOf(path), path]));
      const real = touched.flatMap(([path]) => path ?? []);
      const places = base.folders.flatMap(({ path, added }) => foldersBelow(path, real).flatMap((folder) => base.places(folder, added)));
      const found = await loadPlaces(places, base.context);
      const whole = found.filter(({ scoped, status }) => scoped === undefined && status !== 'off');
      const names = [...new Set(touched.flat())];
      return [...whole.map(plain), ...(await matching([...base.files, ...found], names))];
    },
  };
}

/** Root to leaf; each folder once. */
function foldersBelow(top: Base['cwd'], paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const looked = lookSync(path);
    const folder = looked.type === 'found' && looked.kind === 'directory' ? path : dirname(path);
    if (!isWithin(top, folder)) continue;
    let at = top;
    for (const name of relative(top, folder).split(sep)) {
      if (name === '' || foreignFolders.has(name)) break;
      at = join(at, name);
      folders.add(at);
    }
  }
  return [...folders].sort((a, b) => a.split(sep).length - b.split(sep).length);
}

/** Scoped files that one of the paths matches, each followed by its imports; those may be scoped in turn. */
async function matching(files: readonly Loaded[], paths: readonly string[]): Promise<InstructionFile[]> {
  const matched: InstructionFile[] = [];
  for (const file of files) {
    const { scoped } = file;
    const [path, glob] = paths.map((one) => [one, scoped?.match(one)] as const).find(([, found]) => found !== undefined) ?? [];
    if (scoped === undefined || path === undefined) continue;
    const imports = await scoped.imports();
    matched.push({ ...plain(file), status: 'loaded', reason: `${path} matches ${glob ?? ''}`, ...(glob === undefined ? {} : { glob }) });
    matched.push(...imports.filter((one) => one.scoped === undefined).map(plain), ...(await matching(imports, paths)));
  }
  return matched;
}
