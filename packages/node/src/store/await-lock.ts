/** The lock of a small file that others change, too: waited for a little, since each holds it for milliseconds. */
import { setTimeout as rest } from 'node:timers/promises';
import { takeLock } from './lock.js';

/** Milliseconds between two looks. */
const PAUSE = 20;

/** What gives it back; undefined when it is still held after `forMs` milliseconds: two seconds, the default, are enough for anyone alive. */
export async function awaitLock(
  path: string,
  { forMs = 2_000 }: { readonly forMs?: number } = {},
): Promise<(() => Promise<void>) | undefined> {
  for (let waited = 0; waited < forMs; waited += PAUSE) {
    const lock = await takeLock(path);
    if (lock.type === 'taken') return lock.release;
    await rest(PAUSE);
  }
  return undefined;
}
