/** Where definitions of agents lie, the ones that win first. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { platformFolders } from '../instructions/options.js';
import type { AddedFolder } from '../settings/added-folder.js';
import { projectRoot } from '../settings/project-root.js';
import type { AgentScope } from './definition.js';

export type AgentOptions = {
  readonly cwd: string;
  readonly home: string;
  /** `~/.sidenote`, or where it was moved. */
  readonly configDir: string;
  /** `CLAUDE_CONFIG_DIR` is read from it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folders with the organisation's own `agents`. */
  readonly managed?: readonly string[];
  /** Which scopes are searched beside managed ones. Default: both. */
  readonly sources?: readonly ('user' | 'project')[];
  /** Folders of the command line beside `cwd`. Default: none. */
  readonly added?: readonly AddedFolder[];
  /** `--agents`: a JSON object of definitions by name. */
  readonly json?: string;
  /** False: a mode of the project's own that asks less is not taken over. Default false. */
  readonly trusted?: boolean;
};

export type AgentFile = {
  readonly path: string;
  readonly scope: AgentScope;
  /** Changes with the file. */
  readonly version: string;
  /** The folder of the command line that it lies in. */
  readonly added?: AddedFolder;
};

/** Files of one folder, with those of its folders: more are left out. */
const MOST = 500;
const DEEPEST = 4;

/** Every candidate, first one wins: managed, then project (nearest folder first), those of added folders, then user. */
export const agentFiles = (options: AgentOptions): Promise<readonly AgentFile[]> => definitionFiles('agents', options);

/** The same for whatever else is defined in folders of this name. */
export async function definitionFiles(
  name: string,
  options: Pick<AgentOptions, 'cwd' | 'home' | 'configDir' | 'env' | 'managed' | 'sources' | 'added'>,
): Promise<readonly AgentFile[]> {
  const { home, configDir, env = {}, managed = platformFolders(), sources = ['user', 'project'] } = options;
  const project = sources.includes('project') ? await projectFolders(options) : [];
  const user = sources.includes('user') ? [configDir, env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')] : [];
  const added = sources.includes('project') ? (options.added ?? []) : [];
  const folders: readonly (readonly [scope: AgentScope, path: string, added?: AddedFolder])[] = [
    ...managed.flatMap((folder) => [['managed', folder] as const, ['managed', join(folder, '.claude')] as const]),
    ...project.map((folder) => ['project', folder] as const),
    ...added.flatMap((one) => ['.sidenote', '.claude'].map((folder) => ['project', join(one.path, folder), one] as const)),
    ...user.map((folder) => ['user', folder] as const),
  ];
  const seen = new Set<string>();
  const found = await Promise.all(
    folders.map(async ([scope, folder, within]) => {
      const files = await filesIn(join(folder, name), scope);
      return within === undefined ? files : files.map((file) => ({ ...file, added: within }));
    }),
  );
  // A home that is a repository of its own is searched once.
  return found.flat().filter(({ path }) => !seen.has(path) && seen.add(path));
}

async function projectFolders({ cwd, home }: Pick<AgentOptions, 'cwd' | 'home'>): Promise<readonly string[]> {
  const root = await projectRoot(cwd);
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    // What lies in the home itself is the person's, not the project's.
    if (folder !== resolve(home)) folders.push(join(folder, '.sidenote'), join(folder, '.claude'));
    if (folder === root || dirname(folder) === folder) return folders;
  }
}

async function filesIn(folder: string, scope: AgentScope, depth = 0): Promise<readonly AgentFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST);
  const found = await Promise.all(
    sorted.map(async (entry): Promise<readonly AgentFile[]> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth < DEEPEST ? filesIn(path, scope, depth + 1) : [];
      if (!entry.name.endsWith('.md')) return [];
      const at = await stat(path, { bigint: true }).catch(() => undefined);
      return at === undefined ? [] : [{ path, scope, version: `${at.mtimeNs}-${at.size}-${at.ino}` }];
    }),
  );
  return found.flat().slice(0, MOST);
}
