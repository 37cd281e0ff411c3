/** Where memories lie: those of a person for one repository, whichever worktree it is, and those that the repository brings along. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin, realOf } from '../files/paths.js';
import { homeOf, repositoryOf } from '../instructions/git-folder.js';
import { foldersTo } from '../instructions/locate.js';
import { projectName } from '../store/project-folder.js';

export type MemoryFolder = {
  readonly path: string;
  readonly scope: 'memory' | 'team memory';
  /** What a link in the folder leads to counts only in here. */
  readonly within: string;
};

export type MemoryPlaces = {
  /** Of the person: `<configDir>/projects/<project>/memory`, or the folder that was named. */
  readonly own: MemoryFolder;
  /** Of the repository: `.sidenote/memory` in its root. Undefined outside a repository. */
  readonly team: MemoryFolder | undefined;
};

/** Name of the index in each of the folders. */
export const indexName = 'MEMORY.md';

/** Nothing is created, and nothing read but what says where the repository lies. `directory` takes the place of the person's folder. */
export function memoryPlaces(options: { readonly cwd: string; readonly configDir: string; readonly directory?: string }): MemoryPlaces {
  const cwd = realOf(resolve(options.cwd));
  const root = foldersTo(cwd).findLast((folder) => repositoryOf(folder) !== undefined);
  const project = (root === undefined ? cwd : homeOf(root)).normalize('NFC');
  const own = options.directory ?? join(options.configDir, 'projects', projectName(project), 'memory');
  return {
    own: { path: own, scope: 'memory', within: own },
    team: root === undefined ? undefined : { path: join(root, '.sidenote', 'memory'), scope: 'team memory', within: root },
  };
}

/** Whose an agent's memories are: the person's wherever it works, those of this repository for everyone, or the person's here. */
export type AgentMemoryScope = 'user' | 'project' | 'local';

/** Where one agent keeps what it should know when it works again. `name`: one that a definition can have. */
export function agentMemoryFolder(
  { name, scope }: { readonly name: string; readonly scope: AgentMemoryScope },
  at: { readonly cwd: string; readonly configDir: string },
): MemoryFolder {
  const path = (folder: string): string => join(folder, 'agent-memory', name.normalize('NFC'));
  const { own, team } = memoryPlaces(at);
  if (scope === 'project') {
    const root = team?.within ?? realOf(resolve(at.cwd));
    return { path: path(join(root, '.sidenote')), scope: 'team memory', within: root };
  }
  const folder = path(scope === 'user' ? at.configDir : dirname(own.path));
  return { path: folder, scope: 'memory', within: folder };
}

/** False where links lead out of where the folder should lie. */
export function staysWithin({ path, within }: MemoryFolder): boolean {
  return isWithin(realOf(within), realOf(path));
}

/** Why a folder can't be the one for memories, which is written without a question; undefined: it can. `directory` as it was set. */
export function objectionToFolder(directory: string, at: { readonly cwd: string; readonly home: string }): string | undefined {
  if (!isAbsolute(directory) && !directory.startsWith('~/')) return 'it must be absolute, or begin with ~/';
  const folder = realOf(resolve(directory.replace(/^~(?=\/)/, at.home)));
  if ([at.cwd, at.home].some((one) => isWithin(folder, realOf(one)))) return 'the home and the working directory would lie in it';
  if (existsSync(join(folder, '.git'))) return 'it is the root of a repository';
  return undefined;
}
