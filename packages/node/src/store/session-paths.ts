/** Names of a session's files inside its project folder. */
import { join } from 'node:path';

/** Ids become file names, so only plain names count as ids: nothing that could lead out of the folder. */
export function isPlainName(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);
}

/** `<session>.jsonl` for the main thread, whose id is the session's (or `main`); else `<session>/subagents/agent-<thread>.jsonl`. */
export function threadFile(folder: string, session: string, thread: string): string {
  if (thread === session || thread === 'main') return join(folder, `${session}.jsonl`);
  return join(folder, session, 'subagents', `agent-${thread}.jsonl`);
}

export function lockFile(folder: string, session: string): string {
  return join(folder, `${session}.lock`);
}
