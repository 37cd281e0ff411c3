/** Removes sessions that nobody has gone on with for long. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Id } from '@sidenote/engine';
import { jsonlStore, type JsonlStoreOptions } from './jsonl-store.js';
import { takeLock } from './lock.js';
import { projectFolder } from './project-folder.js';
import { lockFile, threadFile } from './session-paths.js';

/**
 * Removes the sessions of a working directory that were written last before `before` (milliseconds since the epoch),
 * with their side files, and gives their ids. One that another process has open stays. Texts of files that sessions
 * share go with the last of them; memories stay. Rejects with the file system's error.
 */
export async function pruneSessions({
  before,
  except,
  ...where
}: JsonlStoreOptions & {
  readonly before: number;
  /** A session that stays in any case: the one that was just used, though nothing was written. */
  readonly except?: Id;
}): Promise<readonly Id[]> {
  const folder = projectFolder(where);
  const removed: Id[] = [];
  for await (const { session, changedAt } of jsonlStore(where).list()) {
    if (changedAt >= before || session === except) continue;
    const lock = await takeLock(lockFile(folder, session));
    if (lock.type === 'held') continue;
    try {
      // Another process may have gone on with it, or removed it, before the lock was ours.
      const found = await stat(threadFile(folder, session, session)).catch(() => undefined);
      if (found === undefined || found.mtimeMs >= before) continue;
      // The side files first: what is left by an interruption is still a session, and goes with the next one.
      await rm(join(folder, session), { recursive: true, force: true });
      await rm(threadFile(folder, session, session), { force: true });
      removed.push(session);
    } finally {
      await lock.release();
    }
  }
  if (removed.length > 0 && !(await isInUse(folder))) await rm(join(folder, 'blobs'), { recursive: true, force: true });
  return removed;
}

/** A session that has just begun has only a lock yet, and may keep texts already. */
async function isInUse(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => /\.(jsonl|lock)$/.test(name));
}
