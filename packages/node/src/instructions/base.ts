/** What every reading begins with: the surroundings, and the files of the start, in their order. */
import { dirname, join, relative, resolve } from 'node:path';
import { isWithin, realOf } from '../files/paths.js';
import { withinBudget } from './budget.js';
import { repositoryOf, originOf } from './git-folder.js';
import { excludedBy } from './globs.js';
import { loadPlaces, type LoadContext, type Loaded } from './load.js';
import { foldersTo, managedPlaces, placesIn, rootOf, userPlaces, type Place } from './locate.js';
import { defaultImportDepth, defaultRootMarkers, surroundingsOf, type InstructionOptions, type Surroundings } from './options.js';
import { renderInstructions } from './render.js';
import { checkoutsAround } from './worktree.js';

/** Characters of one file, for a window of so many tokens, from which on it is called large. */
const large = { characters: 40_000, window: 200_000 };

export type Base = {
  /** Real. */
  readonly cwd: string;
  /** Real: `cwd` and the added folders that are told. */
  readonly folders: readonly { readonly path: string; readonly added?: string }[];
  readonly files: readonly Loaded[];
  readonly at: Surroundings;
  readonly context: LoadContext;
  /** What lies in a folder below, as places. */
  places(folder: string, added?: string): readonly Place[];
};

/** The organisation's, the user's, those of added folders, then every folder from the root of the file system to `cwd`. */
export async function loadBase(options: InstructionOptions): Promise<Base> {
  const at = surroundingsOf(options);
  const cwd = realOf(resolve(options.cwd));
  const root = rootOf(cwd, options.rootMarkers ?? defaultRootMarkers);
  const way = foldersTo(cwd);
  const checkouts = checkoutsAround(way.findLast((folder) => repositoryOf(folder) !== undefined) ?? root, way);
  const named = await excludedBy(options.excludes?.() ?? [], at.home);
  const aliases = aliasesOf(resolve(options.cwd), cwd);
  const repository = way.map(repositoryOf).findLast((one) => one !== undefined);
  const context: LoadContext = {
    home: at.home,
    inside: [root, ...checkouts.around],
    external: (await options.externalImports?.()) ?? 'unasked',
    mayRead: options.mayRead ?? (async () => true),
    importDepth: options.importDepth ?? defaultImportDepth,
    large: Math.round((large.characters * (options.window?.() ?? large.window)) / large.window),
    excluded: (path, real) => named([...new Set([path, real, ...aliases(path), ...belowEach([root, cwd], real)])]),
    origin: repository === undefined ? undefined : originOf(repository),
    checkouts,
    seen: new Map(),
  };
  const places = (folder: string, added?: string): readonly Place[] =>
    placesIn(folder, at, added).map((place) => {
      // The worktree's copy of the folder, and the project's root, from where many write their globs.
      const more = [checkouts.own(folder), folder !== root && isWithin(root, folder) ? root : undefined].flatMap((base) => base ?? []);
      return more.length === 0 ? place : { ...place, bases: [...place.bases, ...more] };
    });
  const added = at.directories.map((folder) => ({ path: realOf(folder), added: realOf(folder) }));
  const start = [
    ...managedPlaces(at, [root, cwd]),
    ...userPlaces(at, [root, cwd]),
    ...added.flatMap((folder) => places(folder.path, folder.added)),
    ...way.flatMap((folder) => places(folder)),
  ];
  const files = [...(await managedText(options, at)), ...(await loadPlaces(start, context))];
  const told = at.off('added') === undefined ? added : [];
  return { cwd, folders: [{ path: cwd }, ...told], files: withinBudget(files, options.budget), at, context, places };
}

/** The managed setting `claudeMd`: text without a file of its own. */
async function managedText({ managed }: InstructionOptions, at: Surroundings): Promise<readonly Loaded[]> {
  if (managed?.text === undefined) return [];
  const { text } = await renderInstructions(managed.text.text);
  const { file } = managed.text;
  const off = at.off('managed');
  const entry = { path: `${file}#claudeMd`, scope: 'managed', from: { file, setting: 'claudeMd' } };
  if (off !== undefined) return [{ ...entry, text: '', status: 'off', reason: off }];
  if (text === '') return [{ ...entry, text, status: 'empty', reason: 'nothing in it but comments' }];
  return [{ ...entry, text, status: 'loaded', reason: `the setting claudeMd in ${file}` }];
}

/** Other names of a path, where the working directory was entered through a link. */
function aliasesOf(lexical: string, real: string): (path: string) => readonly string[] {
  let [from, to] = [real, lexical];
  while (from !== to && dirname(from) !== from && dirname(to) !== to && from.split('/').at(-1) === to.split('/').at(-1)) {
    [from, to] = [dirname(from), dirname(to)];
  }
  return (path) => (from !== to && isWithin(from, path) ? [join(to, path.slice(from.length))] : []);
}

/** A path as it is named from those of the folders that it lies in. */
function belowEach(folders: readonly string[], path: string): readonly string[] {
  return folders.filter((folder) => isWithin(folder, path)).map((folder) => relative(folder, path));
}
