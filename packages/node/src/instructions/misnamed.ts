/** Files that look meant as instructions and are not looked for, by letter case or by ending. Only a person who asks is told. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { InstructionFile } from '@sidenote/engine';
import { untold } from './entry.js';
import type { LoadContext } from './load.js';
import { localName, type Scope } from './locate.js';
import type { Surroundings } from './options.js';
import { findNow, type Found } from './read-now.js';
import { rulesIn } from './rules.js';

/** A folder, with the names that count in it, and in which folders of it every markdown file is a rule. */
type Looked = {
  readonly folder: string;
  readonly scope: Scope;
  readonly names: readonly string[];
  readonly rules: readonly string[];
  /** Below the working directory: there `agents.md` among other pages is a page. */
  readonly below?: boolean;
};

export type MisnamedOptions = {
  readonly at: Surroundings;
  readonly context: LoadContext;
  /** Absolute, of the project: down to the working directory, and below it. */
  readonly way: readonly string[];
  readonly below: readonly string[];
};

const likeRule = /\.(mdc|markdown|txt)$/i;

/** What is told under another name, or excluded by a setting, is not among them. Never throws. */
export function misnamedFiles({ at, context, way, below }: MisnamedOptions): readonly InstructionFile[] {
  const looked: Looked[] = [
    ...at.managedFolders.map((folder): Looked => {
      return { folder, scope: 'managed', names: ['CLAUDE.md', 'AGENTS.md'], rules: ['rules', '.claude/rules'] };
    }),
    { folder: at.userFolder, scope: 'user', names: ['CLAUDE.md', localName], rules: ['rules'] },
    { folder: at.ownFolder, scope: 'user', names: ['AGENTS.md'], rules: [] },
    ...way.map((folder) => inProject(folder, at)),
    ...below.filter((folder) => basename(folder) !== '.claude').map((folder) => ({ ...inProject(folder, at), below: true })),
  ];
  const found = looked.flatMap((one) => (at.off(one.scope) === undefined ? [...wrongCase(one), ...wrongEnding(one)] : []));
  return found.filter(({ path }) => {
    const file = findNow(path);
    return file.type === 'found' && !context.seen.has(file.key) && context.excluded(path, file.real) === undefined;
  });
}

/** The folder of the person's own files is looked at as such. */
function inProject(folder: string, at: Surroundings): Looked {
  const names = at.homes.includes(folder) ? at.files.filter((name) => !name.includes('/')) : at.files;
  return { folder, scope: 'project', names: [...names, localName], rules: at.homes.includes(folder) ? [] : ['.claude/rules'] };
}

function wrongCase({ folder, scope, names, below = false }: Looked): readonly InstructionFile[] {
  return names.flatMap((written) => {
    const right = join(folder, written);
    const listed = namesIn(dirname(right));
    const isPage = (name: string): boolean => name === name.toLowerCase() && name.endsWith('.md');
    return listed
      .filter((name) => name !== basename(right) && name.toLowerCase() === basename(right).toLowerCase() && !names.includes(name))
      .filter((name) => !(below && isPage(name) && listed.filter(isPage).length > 1))
      .map((name) => join(dirname(right), name))
      .filter((path) => !isSame(findNow(path), findNow(right)))
      .map((path) => {
        const reason = `letter case counts in names of files, and only ${basename(right)} is looked for`;
        return untold({ path, scope }, { status: 'misnamed', reason, remedy: `rename it to ${basename(right)}` });
      });
  });
}

function wrongEnding({ folder, scope, rules }: Looked): readonly InstructionFile[] {
  return rules
    .flatMap((name) => rulesIn(join(folder, name), likeRule))
    .filter(({ broken }) => broken === undefined)
    .map(({ path }) => {
      const remedy = `rename it to ${basename(path).replace(likeRule, '.md')}, or move it out of the folder`;
      return untold({ path, scope }, { status: 'misnamed', reason: 'only files that end with .md are rules', remedy });
    });
}

/** Where letter case does not count, both names are one file. */
const isSame = (one: Found, other: Found): boolean => one.type === 'found' && other.type === 'found' && one.key === other.key;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
