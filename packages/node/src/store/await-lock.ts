/** The lock of a small file that others change, too: waited for a little, since each holds it for milliseconds. */
import { setTimeout as rest } from 'node:timers/promises';
import { takeLock } from './lock.js';

/** What gives it back; undefined when it is still held after two seconds, which are enough for anyone alive. */
export async function awaitLock(path: string): Promise<(() => Promise<void>) | undefined> {
  for (let tries = 0; tries < 100; tries++) {
    const lock = await takeLock(path);
    if (lock.type === 'taken') return lock.release;
    await rest(20);
  }
  return undefined;
}
