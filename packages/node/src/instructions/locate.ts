/** Where instruction files may lie, broad to specific. */
import { dirname, join } from 'node:path';
import { lookSync } from '../files/stat.js';
import { defaultFiles, type Surroundings } from './options.js';
import { rulesIn } from './rules.js';

export type Scope = 'managed' | 'user' | 'project' | 'local';

/** A place that is looked at. */
export type Place = {
  readonly path: string;
  readonly scope: Scope;
  /** Equal text in one folder is one file. */
  readonly folder: string;
  /** What globs of the file are relative to. */
  readonly bases: readonly string[];
  /** Why the file isn't told in this run, whatever it says. */
  readonly off?: string | undefined;
  /** Why it can't be read, if that is known already. */
  readonly broken?: string | undefined;
  /** An added folder: what lies in it is not outside. */
  readonly added?: string | undefined;
};

export const localName = 'CLAUDE.local.md';

/** Of the organisation. */
export function managedPlaces(at: Surroundings, bases: readonly string[]): readonly Place[] {
  return at.managedFolders.flatMap((folder) => [
    ...['CLAUDE.md', 'AGENTS.md'].map((name) => place(join(folder, name), 'managed', at, bases)),
    ...ruleLike(join(folder, 'rules'), 'managed', at, bases),
    ...ruleLike(join(folder, '.claude', 'rules'), 'managed', at, bases),
  ]);
}

/** Of the person, for every project. */
export function userPlaces(at: Surroundings, bases: readonly string[]): readonly Place[] {
  return [
    ...['CLAUDE.md', localName].map((name) => place(join(at.userFolder, name), 'user', at, bases)),
    ...ruleLike(join(at.userFolder, 'rules'), 'user', at, bases),
    place(join(at.ownFolder, 'AGENTS.md'), 'user', at, bases),
  ];
}

/** One folder's files in their order, then its rules, and `CLAUDE.local.md` at last. */
export function placesIn(folder: string, at: Surroundings, added?: string): readonly Place[] {
  const off = at.off(added === undefined ? 'project' : 'added');
  const about = { scope: 'project', folder, bases: [folder], added } as const;
  // The user's own folder is user scope alone, also where a project lies above or inside it.
  const isHome = at.homes.includes(folder);
  const named = (name: string, why: string | undefined): Place[] =>
    isHome && name.startsWith('.claude/') ? [] : [{ ...about, path: join(folder, name), off: why }];
  const unnamed = defaultFiles.filter((name) => !at.files.includes(name));
  return [
    ...at.files.flatMap((name) => named(name, off)),
    ...unnamed.flatMap((name) => named(name, off ?? 'the setting instructions.files does not name it')),
    ...(isHome ? [] : rulesIn(join(folder, '.claude', 'rules')).map((rule): Place => ({ ...about, ...rule, off }))),
    { ...about, path: join(folder, localName), scope: 'local', off: added === undefined ? at.off('local') : off },
  ];
}

/** From the root of the file system down to `folder`. */
export function foldersTo(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...foldersTo(parent), folder];
}

/** The nearest folder with one of the markers that `folder` belongs to, else `folder` itself. */
export function rootOf(folder: string, markers: readonly string[]): string {
  const isRoot = (one: string): boolean => markers.some((name) => lookSync(join(one, name)).type === 'found');
  return foldersTo(folder).findLast(isRoot) ?? folder;
}

function place(path: string, scope: 'managed' | 'user', at: Surroundings, bases: readonly string[]): Place {
  return { path, scope, folder: dirname(path), bases, off: at.off(scope) };
}

function ruleLike(folder: string, scope: 'managed' | 'user', at: Surroundings, bases: readonly string[]): Place[] {
  return rulesIn(folder).map((rule) => ({ ...place(rule.path, scope, at, bases), ...rule }));
}
