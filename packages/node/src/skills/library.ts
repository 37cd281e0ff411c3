/** All skills and commands of a working directory: found, ranked, and each that can't be had with the reason. */
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isWithin, realOf, realPathOf } from '../files/paths.js';
import { lookSync } from '../files/stat.js';
import { scopeTest } from '../instructions/globs.js';
import { surroundingsOf, type InstructionOptions, type Surroundings } from '../instructions/options.js';
import { nearest } from '../settings/nearest.js';
import { projectRoot } from '../settings/project-root.js';
import type { AddedFolder } from '../settings/added-folder.js';
import { FolderCache } from './folder-cache.js';
import { addedPlaces, nestedPlaces, qualified, startPlaces, type SkillPlace } from './places.js';
import type { LeftSkill, Skill } from './skill.js';

export type SkillOverride = 'on' | 'name-only' | 'user-invocable-only' | 'off';

export type SkillOptions = Pick<InstructionOptions, 'cwd' | 'home' | 'env' | 'managed' | 'bare' | 'sources'> & {
  /** Whether the person trusts this folder. If not, its skills run no commands and allow nothing. Default false. */
  readonly trusted?: boolean;
  /** Folders of the command line beside `cwd`. Default: none. */
  readonly added?: readonly AddedFolder[];
  /** Setting `skillOverrides`, by name. */
  readonly overrides?: Readonly<Record<string, SkillOverride>>;
};

export type Catalogue = {
  /** By name. */
  readonly skills: ReadonlyMap<string, Skill>;
  readonly left: readonly LeftSkill[];
  /** For a person: folders that could not be looked through. */
  readonly notes: readonly string[];
  /** Changes whenever a skill does. */
  readonly version: string;
};

export type SkillLookup =
  | { readonly type: 'found'; readonly skill: Skill }
  /** `near`: what may have been meant. */
  | { readonly type: 'missing'; readonly near?: string; readonly why?: string };

/** Folders whose skills were written for others. */
const foreign: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Identity: a memory of what was read, so that looking again costs stats alone. */
export class SkillLibrary {
  readonly trusted: boolean;
  readonly #options: SkillOptions;
  readonly #at: Surroundings;
  readonly #cwd: string;
  readonly #cache = new FolderCache();
  readonly #folders = new Map<string, readonly string[]>();
  #root: Promise<string> | undefined;

  constructor(options: SkillOptions) {
    this.trusted = options.trusted ?? false;
    this.#options = options;
    this.#at = surroundingsOf(options);
    this.#cwd = realOf(resolve(options.cwd));
  }

  /** Real path of the project's root. */
  root(): Promise<string> {
    return (this.#root ??= projectRoot(this.#options.cwd));
  }

  /** What there is now. `touched`: paths in folders below, whose skills come into reach by it. */
  async read(touched: readonly string[] = []): Promise<Catalogue> {
    const root = await this.root();
    const added = this.#at.off('project') === undefined ? (this.#options.added ?? []) : [];
    const places = [
      ...startPlaces(this.#at, this.#way(root)),
      ...added.flatMap(addedPlaces),
      ...(await this.#below(touched)).flatMap(nestedPlaces),
    ];
    const readings = await Promise.all(places.map(async (place) => ({ place, ...(await this.#cache.read(place)) })));
    const skills = new Map<string, Skill>();
    const left: LeftSkill[] = [];
    const paths = new Set<string>();
    for (const { place, found, misplaced } of readings) {
      for (const one of misplaced) left.push({ ...one, scope: place.scope, status: 'misplaced' });
      for (const { name, path, reading } of found) {
        const about = { name, path, scope: place.scope };
        if (reading.type === 'unusable') left.push({ ...about, status: 'unreadable', reason: reading.why });
        else {
          // Reached twice over a link: one skill.
          if (paths.has(reading.skill.path)) continue;
          paths.add(reading.skill.path);
          const problem = this.#problem(reading.skill, place, { name, root });
          if (problem === undefined) this.#add(reading.skill, place, { skills, left, root });
          else left.push({ ...about, ...problem });
        }
      }
    }
    const open = await this.#inReach(skills, places, touched);
    return {
      skills: open,
      left,
      notes: readings.flatMap(({ notes }) => notes),
      version: readings.flatMap(({ found }) => found.map(({ stamp }) => stamp)).join('\n'),
    };
  }

  /** A skill or command by its name; for a nested one also by its qualified name, wherever it lies. */
  async find(name: string, touched: readonly string[] = []): Promise<SkillLookup> {
    const root = await this.root();
    const [, base] = /^(.+):[^:]+$/.exec(name) ?? [];
    const named = base === undefined ? undefined : join(root, base);
    const isBelow = named !== undefined && isWithin(this.#cwd, named) && named !== this.#cwd;
    const { skills, left } = await this.read(isBelow ? [...touched, `${named}/`] : touched);
    const plain = name.slice(name.lastIndexOf(':') + 1);
    const nested = [...skills.values()].find(
      ({ scope, name: own, place }) => scope === 'nested' && own === plain && isBelow && isWithin(named, place),
    );
    const below = [...skills.values()].filter(({ type, name: own }) => type === 'command' && own.endsWith(`:${name}`));
    const skill = skills.get(name) ?? nested ?? (below.length === 1 ? below[0] : undefined);
    if (skill !== undefined) return { type: 'found', skill };
    const why = left.find((one) => one.name === name && one.status !== 'shadowed');
    const near = nearest(name, [...skills.keys()]);
    return {
      type: 'missing',
      ...(near === undefined ? {} : { near }),
      ...(why === undefined ? {} : { why: `${why.path}: ${why.reason}` }),
    };
  }

  /** From the working directory up to the root of its repository. */
  #way(root: string): readonly string[] {
    const way = [this.#cwd];
    for (let folder = this.#cwd; folder !== root && isWithin(root, folder);) way.push((folder = dirname(folder)));
    return way;
  }

  /** Folders strictly below the working directory on the way to each path, in the order of the paths. */
  async #below(touched: readonly string[]): Promise<readonly string[]> {
    if (this.#at.off('project') !== undefined) return [];
    const folders = new Set<string>();
    for (const path of touched) {
      let below = this.#folders.get(path);
      if (below === undefined) {
        below = foldersBelow(this.#cwd, await realPathOf(path), path.endsWith('/'));
        this.#folders.set(path, below);
      }
      for (const folder of below) folders.add(folder);
    }
    return [...folders];
  }

  /** Why a skill that was read can't be had. */
  #problem(
    { path, scope }: Skill,
    { added }: SkillPlace,
    { name, root }: { name: string; root: string },
  ): Pick<LeftSkill, 'status' | 'reason'> | undefined {
    if (!/^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u.test(name)) {
      return { status: 'misnamed', reason: 'its name holds more than letters, digits, hyphens and dots: it could not be called' };
    }
    const isProjects = scope === 'project' || scope === 'nested';
    const own = [this.#at.ownFolder, this.#at.userFolder, join(this.#at.home, '.agents')].map((folder) => realOf(join(folder, 'skills')));
    const inside = added === undefined ? [root, this.#cwd, ...own] : [added.path, ...own];
    if (!isProjects || (added ?? this).trusted || inside.some((folder) => isWithin(folder, path))) return undefined;
    return { status: 'outside', reason: `it is a link to ${path}, outside the project, and this folder is not trusted` };
  }

  #add(skill: Skill, place: SkillPlace, to: { skills: Map<string, Skill>; left: LeftSkill[]; root: string }): void {
    const holder = to.skills.get(skill.name);
    const isNested = place.scope === 'nested';
    const name = holder !== undefined && isNested ? qualified(to.root, place, skill.name) : skill.name;
    const about = { name, path: skill.path, scope: skill.scope };
    const taken = to.skills.get(name);
    if (taken !== undefined) {
      to.left.push({ ...about, status: 'shadowed', reason: `${taken.path} has the same name and comes before it` });
      return;
    }
    const override = this.#options.overrides;
    const how = override !== undefined && Object.hasOwn(override, name) ? override[name] : 'on';
    if (how === 'off') {
      to.left.push({ ...about, status: 'off', reason: 'switched off by the setting skillOverrides' });
      return;
    }
    const isTrusted = (place.added ?? this).trusted || skill.scope === 'user' || skill.scope === 'managed';
    to.skills.set(name, {
      ...(isTrusted ? skill : withoutPowers(skill)),
      name,
      isTrusted,
      ...(how === 'name-only' ? { description: '' } : {}),
      ...(how === 'user-invocable-only' ? { forModel: false } : {}),
    });
  }

  /** Skills for certain files are offered to the model when such a file was touched. */
  async #inReach(skills: Map<string, Skill>, places: readonly SkillPlace[], touched: readonly string[]): Promise<Map<string, Skill>> {
    for (const [name, skill] of skills) {
      if (skill.globs === undefined) continue;
      const base = places.find(({ folder }) => folder === skill.place)?.base ?? this.#cwd;
      const test = await scopeTest({ globs: skill.globs, bases: [base], home: this.#at.home });
      if (!touched.some((path) => test(path) !== undefined)) skills.set(name, { ...skill, inReach: false });
    }
    return skills;
  }
}

/** What nobody trusts allows nothing, and runs nothing by itself. */
function withoutPowers({ hooks, ...skill }: Skill): Skill {
  const withheld = [...(hooks === undefined ? [] : ['hooks']), ...(skill.grants.length === 0 ? [] : ['allowed-tools'])];
  const left = { ...skill, grants: [], withheld };
  if (hooks === undefined) return left;
  const problem = { severity: 'error', line: hooks.line, message: 'its hooks run only once this folder is trusted' } as const;
  return { ...left, problems: [...skill.problems, problem] };
}

function foldersBelow(top: string, path: string, isFolder: boolean): readonly string[] {
  const looked = lookSync(path);
  const folder = isFolder || (looked.type === 'found' && looked.kind === 'directory') ? path : dirname(path);
  if (!isWithin(top, folder)) return [];
  const folders: string[] = [];
  let at = top;
  for (const name of relative(top, folder).split(sep)) {
    if (name === '' || foreign.has(name)) break;
    at = join(at, name);
    folders.push(at);
  }
  return folders;
}
