/** The snapshot as a model reads it. */
import type { Repository } from './repository.js';

/** `taken` is the local date and minute. */
export function snapshotText(repository: Repository, taken: string): string {
  const { mainBranch, user, tree, status, commits } = repository;
  const lines = [`Git snapshot, taken ${taken}. It does not update during the conversation.`];
  if (tree === 'bare') lines.push('This is a bare repository: it has no working tree.');
  if (tree === 'git-folder') lines.push('This folder is inside the git folder of a repository: there is no working tree here.');
  lines.push(`Current branch: ${branchText(repository)}`);
  if (mainBranch !== null) lines.push(`Main branch: ${mainBranch}`);
  if (user !== null) lines.push(`Git user: ${user}`);
  if (tree === 'work')
    lines.push(section('Status', status.type === 'unknown' ? status : { ...status, value: status.value.split('\n') }, 'clean'));
  lines.push(
    section(
      'Recent commits',
      commits.type === 'unknown' ? commits : { ...commits, value: commits.value.map(commitLine) },
      'no commits yet',
    ),
  );
  return lines.join('\n');
}

function branchText({ branch, operation, commits }: Repository): string {
  if (branch.type === 'unknown') return `not known (${branch.why})`;
  const newest = commits.type === 'known' ? commits.value[0] : undefined;
  const detached = newest === undefined ? 'detached' : `detached at ${newest.id}`;
  const notes = [...(operation === undefined ? [] : [`${operation.name} in progress`]), ...(branch.value === null ? [detached] : [])];
  const name = branch.value ?? operation?.branch ?? 'none';
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
}

type Listed = { readonly type: 'known'; readonly value: readonly string[] } | { readonly type: 'unknown'; readonly why: string };

function section(label: string, listed: Listed, empty: string): string {
  if (listed.type === 'unknown') return `${label}: not known (${listed.why})`;
  const lines = listed.value.filter((line) => line !== '');
  return lines.length === 0 ? `${label}: ${empty}` : [`${label}:`, ...lines].join('\n');
}

const commitLine = ({ id, subject }: { readonly id: string; readonly subject: string }) => `${id} ${subject}`;
