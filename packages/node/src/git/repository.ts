/** What git says of a working folder, asked side by side. */
import { headOf } from '../files/lines.js';
import { operationIn, type GitOperation } from './operation.js';
import { runGit, type GitOutput, type GitPlace } from './run-git.js';
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
const maxListingBytes = 4 * 1024 * 1024;

/** Asks whether there is a repository, then side by side what git answers at once, then the status, which may take its time. */
export async function readRepository(place: GitPlace): Promise<RepositoryReading> {
  const about = await runGit(place, ['rev-parse', '--is-bare-repository', '--is-inside-work-tree', '--absolute-git-dir']);
  if (about.type === 'not-started') return { type: 'unavailable', why: `git can't be run (${about.why})` };
  if (about.type === 'cut') return { type: 'unavailable', why: 'git did not answer in time' };
  if (!about.ok) {
    const why = reasonOf(about);
    return /not a git repository \(or any/.test(why) ? { type: 'none' } : { type: 'refused', why };
  }
  const [bare, inside, ...gitDir] = about.stdout.replace(/\n$/, '').split('\n');
  const tree = bare === 'true' ? 'bare' : inside === 'true' ? 'work' : 'git-folder';
  const [branch, mainBranch, user, operation, commits] = await Promise.all([
    readBranch(place),
    readMainBranch(place),
    readUser(place),
    operationIn(gitDir.join('\n')),
    readCommits(place),
  ]);
  const status = tree === 'work' ? await readStatus(place) : ({ type: 'known', value: '' } as const);
  return { type: 'repository', repository: { branch, mainBranch, user, operation, tree, status, commits } };
}

async function readBranch(place: GitPlace): Promise<Repository['branch']> {
  const output = await runGit(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (output.type !== 'ended') return unknown(output);
  return { type: 'known', value: output.ok ? nameIn(output.stdout) : null };
}

/** The remote's own word first, then `init.defaultBranch`, `main`, `master`, where there is such a branch. Never a guess. */
async function readMainBranch(place: GitPlace): Promise<string | null> {
  const [remote, configured] = await Promise.all([
    valueOf(place, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']),
    valueOf(place, ['config', '--get', 'init.defaultBranch']),
  ]);
  if (remote !== null) return nameIn(remote.replace(/^origin\//, ''));
  const names = [...new Set([...(configured === null ? [] : [configured]), 'main', 'master'])];
  const listed = await valueOf(place, ['for-each-ref', '--format=%(refname)', ...names.map((name) => `refs/heads/${name}`)]);
  const there = new Set(listed?.split('\n'));
  return names.find((name) => there.has(`refs/heads/${name}`)) ?? null;
}

async function readUser(place: GitPlace): Promise<string | null> {
  const name = await valueOf(place, ['config', '--get', 'user.name']);
  return name === null ? null : nameIn(name);
}

async function readStatus(place: GitPlace): Promise<Repository['status']> {
  const settings = ['status.relativePaths=true', 'status.branch=false', 'status.showStash=false', 'column.status=never'];
  const output = await runGit(
    place,
    [...settings.flatMap((setting) => ['-c', setting]), 'status', '--short', '--untracked-files=normal'],
    maxListingBytes,
  );
  if (output.type === 'ended' && output.ok) return { type: 'known', value: statusText({ listing: output.stdout, whole: true }) };
  if (output.type === 'cut' && output.stdout.includes('\n')) {
    return { type: 'known', value: statusText({ listing: output.stdout, whole: false }) };
  }
  return unknown(output);
}

async function readCommits(place: GitPlace): Promise<Repository['commits']> {
  const output = await runGit(place, ['log', '-n', '5', '--no-decorate', '--no-notes', '--encoding=UTF-8', '--format=%h %s']);
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
  const output = await runGit(place, args);
  return output.type === 'ended' && output.ok && output.stdout.trim() !== '' ? output.stdout.trim() : null;
}

function unknown(output: GitOutput): { readonly type: 'unknown'; readonly why: string } {
  if (output.type === 'ended') return { type: 'unknown', why: reasonOf(output) };
  return { type: 'unknown', why: output.type === 'cut' ? 'git did not answer in time' : output.why };
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
