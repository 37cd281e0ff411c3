/** What git says of a working folder, asked in one go. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { headOf } from '../files/lines.js';
import { lookSync } from '../files/stat.js';
import { operationIn, type GitOperation } from './operation.js';
import { runGitInTurn, type GitAnswer } from './run-in-turn.js';
import { runGit, type GitPlace } from './run-git.js';
import { statusText } from './status-text.js';

/** A piece that may be missing because git was stopped or refused to tell it. */
export type Asked<T> = { readonly type: 'known'; readonly value: T } | { readonly type: 'unknown'; readonly why: string };

export type Repository = {
  /** A branch, also one without commits; null: detached. */
  readonly branch: Asked<string | null>;
  /** Null: nothing says which it is. */
  readonly mainBranch: string | null;
  readonly user: string | null;
  readonly operation: GitOperation | undefined;
  readonly tree: 'work' | 'bare' | 'git-folder';
  /** Empty: clean. */
  readonly status: Asked<string>;
  /** Newest first; none: no commits yet. */
  readonly commits: Asked<readonly { readonly id: string; readonly subject: string }[]>;
};

export type RepositoryReading =
  | { readonly type: 'repository'; readonly repository: Repository }
  | { readonly type: 'none' }
  /** Git sees a repository and won't work in it. */
  | { readonly type: 'refused'; readonly why: string }
  | { readonly type: 'unavailable'; readonly why: string };

const maxSubjectLength = 200;
const maxNameLength = 250;

/** Those of them that are there, by their full names, the remote's `HEAD` by that of its branch. A plain name would list what is below it. */
const mainBranchRefs = [
  '--symbolic-full-name',
  '--glob=refs/remotes/origin/HEA[D]',
  '--glob=refs/heads/mai[n]',
  '--glob=refs/heads/maste[r]',
] as const;

const commands = {
  about: { args: ['rev-parse', '--is-bare-repository', '--is-inside-work-tree', ...mainBranchRefs, '--absolute-git-dir'] },
  config: {
    args: ['config', '--null', '--show-scope', '--get-regexp', '^(user\\.name|init\\.defaultbranch|filter\\..*\\.(clean|process))$'],
  },
  commits: { args: ['log', '-n', '5', '--no-decorate', '--no-notes', '--encoding=UTF-8', '--format=%h %s'] },
  /**
   * What lies in submodules is not looked at: each has a configuration of its own, and may have filters of its own. Where the
   * repository itself has any, this waits for what they are.
   */
  status: {
    args: ['status', '--short', '--untracked-files=normal', '--ignore-submodules=dirty'],
    limit: 4 * 1024 * 1024,
    unless: { args: ['config', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'], prints: ['local', 'worktree'] },
  },
} as const;

/** The quick commands, then the status, which may take its time. Where there is evidently no repository, git is not asked. */
export async function readRepository(place: GitPlace): Promise<RepositoryReading> {
  if (!mayBeRepository(place)) return { type: 'none' };
  const ask = runGitInTurn(place, commands);
  const about = await ask('about');
  if (about.type === 'not-started') return { type: 'unavailable', why: `git can't be run (${about.why})` };
  if (about.type !== 'ended') return { type: 'unavailable', why: 'git did not answer in time' };
  if (!about.ok) {
    const why = reasonOf(about);
    return /not a git repository \(or any/.test(why) ? { type: 'none' } : { type: 'refused', why };
  }
  const [bare, inside, ...rest] = about.stdout.replace(/\n$/, '').split('\n');
  const refs = rest.slice(
    0,
    rest.findIndex((line) => !line.startsWith('refs/')),
  );
  const folder = rest.slice(refs.length).join('\n');
  const tree = bare === 'true' ? 'bare' : inside === 'true' ? 'work' : 'git-folder';
  const [branch, operation, commits, { user, defaultBranch, filters }] = await Promise.all([
    readBranch(place, folder),
    operationIn(folder),
    ask('commits').then(commitsIn),
    ask('config').then(configIn),
  ]);
  const mainBranch = await mainBranchOf(place, refs, defaultBranch);
  const status = tree === 'work' ? await readStatus(place, filters, ask) : ({ type: 'known', value: '' } as const);
  return { type: 'repository', repository: { branch, mainBranch, user, operation, tree, status, commits } };
}

/**
 * A `.git` in the folder or above it, or the look of a bare repository; git has the last word. Asked without waiting, so
 * that git runs while the caller goes on.
 */
function mayBeRepository({ cwd, env }: GitPlace): boolean {
  if (env['GIT_DIR'] !== undefined) return true;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (isThere(join(folder, '.git'))) return true;
    if (isThere(join(folder, 'HEAD')) && isThere(join(folder, 'objects'))) return true;
    if (dirname(folder) === folder) return false;
  }
}

const isThere = (path: string): boolean => lookSync(path).type === 'found';

/** From git's own file where that says it; with another way of keeping refs the file holds no valid name. */
async function readBranch(place: GitPlace, gitDir: string): Promise<Repository['branch']> {
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '');
  const named = /^ref: refs\/heads\/(.+)\n?$/.exec(head)?.[1];
  if (named !== undefined && named !== '.invalid') return { type: 'known', value: nameIn(named) };
  if (/^[0-9a-f]{40,64}\n?$/.test(head)) return { type: 'known', value: null };
  const output = await runGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (output.type !== 'ended') return unknown(output);
  return { type: 'known', value: output.ok ? nameIn(output.stdout) : null };
}

/** The remote's own word first, then `init.defaultBranch`, `main`, `master`, where there is such a branch. Never a guess. */
async function mainBranchOf(place: GitPlace, refs: readonly string[], configured: string | null): Promise<string | null> {
  const remote = refs.find((ref) => ref.startsWith('refs/remotes/origin/'));
  if (remote !== undefined) return nameIn(remote.slice('refs/remotes/origin/'.length));
  const isBranch = (name: string): boolean => refs.includes(`refs/heads/${name}`);
  if (configured !== null) {
    const isThere = async (): Promise<boolean> =>
      (await valueOf(place, ['rev-parse', '--verify', '--quiet', `refs/heads/${configured}`])) !== null;
    if (isBranch(configured) || (!['main', 'master'].includes(configured) && (await isThere()))) return configured;
  }
  return ['main', 'master'].find(isBranch) ?? null;
}

type Config = {
  readonly user: string | null;
  readonly defaultBranch: string | null;
  /** Filters that the repository itself defines: each is a program that looking at its files would run. Undefined: not told. */
  readonly filters: readonly string[] | undefined;
};

function configIn(answer: GitAnswer): Config {
  const listed = valueIn(answer);
  const values = new Map<string, string>();
  const filters = new Set<string>();
  const parts = (listed ?? '').split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', entry = ''] = parts.slice(at, at + 2);
    const key = entry.split('\n', 1)[0] ?? '';
    if (!key.startsWith('filter.')) values.set(key, entry.slice(entry.indexOf('\n') + 1));
    else if (scope === 'local' || scope === 'worktree') filters.add(key.slice('filter.'.length, key.lastIndexOf('.')));
  }
  const user = values.get('user.name');
  return {
    user: user === undefined ? null : nameIn(user),
    defaultBranch: values.get('init.defaultbranch') ?? null,
    // Git fails without a word where there is nothing to list.
    filters: answer.type === 'ended' && (answer.ok || answer.stderr === '') ? [...filters] : undefined,
  };
}

/** Settings under which a filter changes nothing. */
function withoutFilter(name: string): (readonly [string, string])[] {
  return [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ];
}

/** That which was asked with the rest, where there are no filters to be switched off. */
async function readStatus(
  place: GitPlace,
  filters: readonly string[] | undefined,
  ask: (name: 'status') => Promise<GitAnswer>,
): Promise<Repository['status']> {
  const asked = await ask('status');
  const { args, limit } = commands.status;
  if (asked.type === 'left-out' && filters === undefined) return { type: 'unknown', why: 'git does not list its filters' };
  const settings = filters?.flatMap(withoutFilter) ?? [];
  const output = asked.type === 'left-out' ? await runGit({ ...place, settings }, args, limit) : asked;
  if (output.type === 'ended' && output.ok) return { type: 'known', value: statusText({ listing: output.stdout, whole: true }) };
  if (output.type === 'cut' && output.stdout.includes('\n')) {
    return { type: 'known', value: statusText({ listing: output.stdout, whole: false }) };
  }
  return unknown(output);
}

function commitsIn(output: GitAnswer): Repository['commits'] {
  if (output.type !== 'ended') return unknown(output);
  if (!output.ok) return /not have any commits|bad default revision/.test(output.stderr) ? { type: 'known', value: [] } : unknown(output);
  const lines = output.stdout.split('\n').filter((line) => line !== '');
  return {
    type: 'known',
    value: lines.map((line) => {
      const [id = '', ...words] = line.split(' ');
      return { id, subject: capped(words.join(' '), maxSubjectLength) };
    }),
  };
}

async function valueOf(place: GitPlace, args: readonly string[]): Promise<string | null> {
  return valueIn(await runGit(place, args));
}

function valueIn(output: GitAnswer): string | null {
  return output.type === 'ended' && output.ok && output.stdout.trim() !== '' ? output.stdout.trim() : null;
}

function unknown(output: GitAnswer): { readonly type: 'unknown'; readonly why: string } {
  if (output.type === 'ended') return { type: 'unknown', why: reasonOf(output) };
  return { type: 'unknown', why: output.type === 'not-started' ? output.why : 'git did not answer in time' };
}

/** Git's own first complaint, without the word that makes it look like a crash of ours. */
function reasonOf({ stderr }: { readonly stderr: string }): string {
  const line = stderr.split('\n').find((line) => /^(fatal|error): /.test(line)) ?? stderr.trim().split('\n')[0] ?? '';
  return capped(line.replace(/^(fatal|error): /, '').replace(/:$/, '') || 'git gave no reason', maxSubjectLength);
}

const nameIn = (text: string) => capped(text.trim(), maxNameLength);

/** One line without control characters, cut between characters. */
function capped(text: string, max: number): string {
  const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
  return line.length <= max ? line : `${headOf(line, max - 1)}…`;
}
