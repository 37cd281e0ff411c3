/** The port behind project instructions: every instruction file that is told at the start, and why others are not. */
import { realpath } from 'node:fs/promises';
import type { InstructionFile, Ports } from '@sidenote/engine';
import { digestOf } from '../files/view.js';
import { excludedBy } from './globs.js';
import { loadPlaces, type LoadContext, type Loaded } from './load.js';
import { foldersTo, placesIn, rootOf, userPlaces } from './locate.js';
import { surroundingsOf, type InstructionOptions, type Surroundings } from './options.js';
import { worktreeCopies } from './worktree.js';

/** Reads anew each time it is asked. Never rejects: a file that can't be read is a status. */
export function instructionFiles(options: InstructionOptions): NonNullable<Ports['instructions']> {
  return {
    async read() {
      const base = await loadBase(options);
      const value = base.files.map(plain);
      return { type: 'ready', value, version: digestOf(JSON.stringify(value.map(({ path, status, text }) => [path, status, text]))) };
    },
  };
}

export type Base = {
  readonly cwd: string;
  readonly files: readonly Loaded[];
  readonly at: Surroundings;
  readonly context: LoadContext;
};

/** User files, then every folder from the root of the file system to `cwd`. */
export async function loadBase(options: InstructionOptions): Promise<Base> {
  const at = surroundingsOf(options);
  const cwd = await realpath(options.cwd).catch(() => options.cwd);
  const root = rootOf(cwd);
  const context: LoadContext = {
    home: at.home,
    root,
    external: (await options.externalImports?.()) ?? 'unasked',
    isExcluded: await excludedBy(options.excludes?.() ?? []),
    copyOf: await worktreeCopies(root),
    read: new Set(),
  };
  if (at.off) return { cwd, files: [], at, context };
  const places = [...(await userPlaces(at, root))];
  for (const folder of foldersTo(cwd)) places.push(...(await placesIn(folder, at)));
  return { cwd, files: await loadPlaces(places, context), at, context };
}

/** A file as the engine knows it. */
export function plain(file: Loaded): InstructionFile {
  const { path, scope, text, status, reason, view } = file;
  return { path, scope, text, status, reason, ...(view === undefined ? {} : { view }) };
}
