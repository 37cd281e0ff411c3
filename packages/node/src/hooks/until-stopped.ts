/** Work of a hook inside its limit: left behind at the limit or at an abort, whether it listens to that or not. */
import { messageOf } from '@sidenote/engine';
import type { HookRun } from './run-command-hook.js';

export type Bounds = { readonly limitMs: number; readonly signal?: AbortSignal | undefined };

/** Never rejects: what is thrown is a failure. */
export async function untilStopped({ limitMs, signal }: Bounds, work: (stop: AbortSignal) => Promise<HookRun>): Promise<HookRun> {
  const limit = AbortSignal.timeout(limitMs);
  const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const stopped = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(new Error('stopped'));
    if (stop.aborted) end();
    else stop.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([work(stop), stopped]);
  } catch (error) {
    if (signal?.aborted === true) return { type: 'aborted' };
    if (limit.aborted) return { type: 'timed-out' };
    return { type: 'failed', why: messageOf(error) };
  }
}
