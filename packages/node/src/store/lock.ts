/** A lock between processes: a file that names its owner. It outlives a crash, and is taken over when its owner is dead. */
import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { codeOf } from '../files/failure.js';
import { isAlive, readOwner, thisProcess, type LockOwner } from './lock-owner.js';

export type LockResult =
  | { readonly type: 'taken'; readonly release: () => Promise<void> }
  | { readonly type: 'held'; readonly owner: LockOwner };

/**
 * Takes the lock at `path`, or says who holds it. The folder must exist. Rejects with the file system's error when the
 * lock can't be written.
 */
export async function takeLock(path: string): Promise<LockResult> {
  const me = await thisProcess();
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeDraft(draft, JSON.stringify(me));
    const owner = await claim(path, draft, me);
    return owner === undefined ? { type: 'taken', release: () => release(path, me) } : { type: 'held', owner };
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Puts a link of the draft at `path`, or gives the living owner that is there. To replace a dead owner's lock, a second
 * lock is taken first that is named after exactly that dead one: only its holder replaces it, so of two takers one wins,
 * and neither can remove the lock that the other just took.
 */
async function claim(path: string, draft: string, me: LockOwner): Promise<LockOwner | undefined> {
  for (;;) {
    if (await create(path, draft, me)) return undefined;
    const owner = await readOwner(path);
    if (owner === undefined) continue;
    if (owner !== 'broken' && (await isAlive(owner))) return owner;
    const nonce = owner === 'broken' ? 'broken' : owner.nonce;
    const heir = `${path}.${nonce}`;
    const rival = await claim(heir, draft, me);
    if (rival !== undefined) return rival;
    try {
      const now = await readOwner(path);
      if (now !== undefined && (now === 'broken' ? 'broken' : now.nonce) === nonce) {
        await replace(path, me);
        return undefined;
      }
    } finally {
      await rm(heir, { force: true });
    }
  }
}

/** False when there is a lock already. A link appears with its content, so nobody reads a lock that is half written. */
async function create(path: string, draft: string, me: LockOwner): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'].includes(codeOf(error))) throw error;
  }
  // File systems without hard links (exFAT, some mounts).
  try {
    await writeDraft(path, JSON.stringify(me));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function replace(path: string, me: LockOwner): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeDraft(draft, JSON.stringify(me));
  await rename(draft, path);
}

async function writeDraft(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Removes the lock if it is still this one: someone may have removed it by hand, and another taken it since. */
async function release(path: string, me: LockOwner): Promise<void> {
  const owner = await readOwner(path);
  if (owner !== undefined && owner !== 'broken' && owner.nonce === me.nonce) await rm(path, { force: true });
}
