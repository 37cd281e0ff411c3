/** Where skills and commands may lie, strongest first. */
import { join, relative, sep } from 'node:path';
import type { Surroundings } from '../instructions/options.js';
import type { AddedFolder } from '../settings/added-folder.js';
import type { Skill, SkillScope } from './skill.js';

/** A folder that is looked at. */
export type SkillPlace = Pick<Skill, 'type' | 'scope'> & {
  readonly folder: string;
  /** The folder that holds `.claude`: globs count from there. */
  readonly base: string;
  /** The folder of the command line that it lies in. */
  readonly added?: AddedFolder;
};

const project = ['.sidenote', '.claude', '.agents'] as const;

/** Of the organisation, then of the person, then of the project, the nearer folders first. Skills before commands in each. */
export function startPlaces(at: Surroundings, way: readonly string[]): readonly SkillPlace[] {
  const places: SkillPlace[] = [];
  const add = (scope: SkillScope, base: string, folders: readonly string[]): void => {
    for (const folder of folders) places.push({ type: 'skill', scope, base, folder: join(folder, 'skills') });
    for (const folder of folders) places.push({ type: 'command', scope, base, folder: join(folder, 'commands') });
  };
  if (at.off('managed') === undefined)
    add(
      'managed',
      way[0] ?? '/',
      at.managedFolders.map((folder) => join(folder, '.claude')),
    );
  if (at.off('user') === undefined) add('user', way[0] ?? '/', [at.ownFolder, at.userFolder, join(at.home, '.agents')]);
  if (at.off('project') === undefined) {
    for (const folder of way) {
      if (!at.homes.includes(folder))
        add(
          'project',
          folder,
          project.map((name) => join(folder, name)),
        );
    }
  }
  return places;
}

/** Of a folder that the command line names: behind those of the project. */
export function addedPlaces(added: AddedFolder): readonly SkillPlace[] {
  return (['skill', 'command'] as const).flatMap((type) =>
    project.map((name) => ({ type, scope: 'project', base: added.path, folder: join(added.path, name, `${type}s`), added })),
  );
}

/** Skills of one folder below the working directory. */
export function nestedPlaces(folder: string): readonly SkillPlace[] {
  return project.map((name) => ({ type: 'skill', scope: 'nested', base: folder, folder: join(folder, name, 'skills') }));
}

/** `apps/web:deploy`: for a name that is taken. */
export function qualified(root: string, { base }: Pick<SkillPlace, 'base'>, name: string): string {
  return `${relative(root, base).split(sep).join('/')}:${name}`;
}
