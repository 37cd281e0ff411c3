/** The git snapshot, asked for while the rest of the command is still being loaded. */
import { gitSnapshot, systemClock } from '@sidenote/node';
import type { GitSnapshot, Source } from '@sidenote/engine';

/** Milliseconds for which an early answer is one of now: at a terminal the first words may come much later. */
const FRESH = 3_000;
/** Milliseconds in which git's quick commands are through, unless they hang. */
const QUICK = 500;

export type EarlyGit = Source<GitSnapshot> & {
  /**
   * Git works by itself now. Its longest command can only be started when this process is not busy with something else, so
   * whoever waits for this first has the whole sooner. Comes at once if git has no more to do, and in time in any case.
   */
  readonly underway: Promise<void>;
};

export function earlyGit({ cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): EarlyGit {
  const clock = systemClock();
  let isUnderway = (): void => {};
  const underway = new Promise<void>((resolve) => {
    isUnderway = resolve;
  });
  const source = gitSnapshot({ cwd, clock, env, underway: () => isUnderway() });
  const asked = clock.now();
  const asking = source.read(new AbortController().signal);
  let first: typeof asking | undefined = asking;
  setTimeout(isUnderway, QUICK).unref();
  return {
    underway: Promise.race([underway, Promise.resolve(asking).then(() => {})]),
    read(signal) {
      const early = first;
      first = undefined;
      return early !== undefined && clock.now() - asked < FRESH ? early : source.read(signal);
    },
  };
}
