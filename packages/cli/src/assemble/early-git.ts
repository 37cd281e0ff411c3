/** The git snapshot, asked for while the rest of the command is still being loaded. */
import { gitSnapshot, systemClock } from '@sidenote/node';
import type { GitSnapshot, Source } from '@sidenote/engine';

/** Milliseconds for which an early answer is one of now: at a terminal the first words may come much later. */
const FRESH = 3_000;

export function earlyGit({ cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Source<GitSnapshot> {
  const clock = systemClock();
  const source = gitSnapshot({ cwd, clock, env });
  const asked = clock.now();
  let first: ReturnType<typeof source.read> | undefined = source.read(new AbortController().signal);
  return {
    read(signal) {
      const early = first;
      first = undefined;
      return early !== undefined && clock.now() - asked < FRESH ? early : source.read(signal);
    },
  };
}
