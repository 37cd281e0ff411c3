/** The port behind nested instructions: what a touched path brings, from folders below and from scoped files. */
import { dirname, join, relative, sep } from 'node:path';
import type { InstructionFile, Ports } from '@sidenote/engine';
import { isWithin, realPathOf } from '../files/paths.js';
import { lookSync } from '../files/stat.js';
import { matchingGlob } from './globs.js';
import { loadBase, plain } from './instruction-files.js';
import { loadPlaces, type Loaded } from './load.js';
import { placesIn } from './locate.js';
import type { InstructionOptions } from './options.js';

/** Folders whose instruction files were written for others. */
const foreign = new Set(['node_modules', '.git']);

/**
 * `below(paths)` gives the files of every folder strictly below the working directory on the way to each path, then
 * scoped files that match a path. Paths are taken by their real place and need not exist. Files that
 * `instructionFiles` tells are left out.
 */
export function nestedInstructions(options: InstructionOptions): NonNullable<Ports['nested']> {
  return {
    async below(paths) {
      if (paths.length === 0) return [];
      const { cwd, at, context, files } = await loadBase(options);
      if (at.off) return [];
      const touched = await Promise.all(paths.map(realPathOf));
      const places = [];
      for (const folder of foldersBelow(cwd, touched)) places.push(...(await placesIn(folder, at)));
      const found = await loadPlaces(places, context);
      return [...found.filter(({ scoped }) => scoped === undefined).map(plain), ...(await matching([...files, ...found], touched))];
    },
  };
}

/** Root to leaf; each folder once. */
function foldersBelow(cwd: string, paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const looked = lookSync(path);
    const folder = looked.type === 'found' && looked.kind === 'directory' ? path : dirname(path);
    if (!isWithin(cwd, folder)) continue;
    let at = cwd;
    for (const name of relative(cwd, folder).split(sep)) {
      if (name === '' || foreign.has(name)) break;
      at = join(at, name);
      folders.add(at);
    }
  }
  return [...folders].sort((a, b) => a.split(sep).length - b.split(sep).length);
}

async function matching(files: readonly Loaded[], paths: readonly string[]): Promise<InstructionFile[]> {
  const matched: InstructionFile[] = [];
  for (const file of files) {
    if (file.scoped === undefined) continue;
    for (const path of paths) {
      const glob = await matchingGlob(file.scoped, path);
      if (glob === undefined) continue;
      matched.push({ ...plain(file), status: 'loaded', reason: `${path} matches ${glob}` }, ...(await file.scoped.imports()).map(plain));
      break;
    }
  }
  return matched;
}
