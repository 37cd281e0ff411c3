/** The git port: where the working folder stands, as of now. */
import type { GitSnapshot, Ports, Reading, Source } from '@sidenote/engine';
import { processZone, two } from '../clock/process-zone.js';
import { lookSync } from '../files/stat.js';
import { digestOf } from '../files/digest.js';
import { readRepository } from './repository.js';
import { snapshotText } from './snapshot-text.js';

/** Milliseconds for all of git together. */
const deadline = 5000;

/**
 * Taken anew at every `read`: branch, main branch, user, status (at most 2,000 characters), the last five commits.
 * A folder without a repository is ready with an empty text. What git has not told after 5 s is named as not known.
 * Git takes no lock, writes no configuration, and is given no terminal. `env` defaults to that of the process.
 */
export function gitSnapshot({
  cwd,
  clock,
  env = process.env,
}: {
  readonly cwd: string;
  readonly clock: Ports['clock'];
  readonly env?: Readonly<Record<string, string | undefined>>;
}): Source<GitSnapshot> {
  return {
    async read(signal) {
      if (lookSync(cwd).type !== 'found') return { type: 'unavailable', why: `there is no folder ${cwd}` };
      const late = new AbortController();
      const finished = new AbortController();
      void clock.sleep(deadline, finished.signal).then(
        () => late.abort(),
        () => undefined,
      );
      try {
        // A copy: reading the variables of a process is slow, and each command does.
        const found = await readRepository({ cwd, env: { ...env }, signal: AbortSignal.any([signal, late.signal]) });
        switch (found.type) {
          case 'unavailable':
            return found;
          case 'none':
            return ready('');
          case 'refused':
            return ready(`Git does not work in this repository: ${found.why}`);
          case 'repository':
            return ready(snapshotText(found.repository, minuteOf(clock)));
        }
      } finally {
        finished.abort();
      }
    },
  };
}

function ready(text: string): Reading<GitSnapshot> {
  return { type: 'ready', value: { text }, version: digestOf(text) };
}

/** Date and minute in the zone that the clock names; that of the process needs no table of zones. */
function minuteOf(clock: Ports['clock']): string {
  const now = new Date(clock.now());
  const zone = clock.timeZone();
  const own = `${two(now.getHours())}:${two(now.getMinutes())}`;
  if (zone === processZone(now)) return `${clock.localDate()} ${own}`;
  try {
    const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const;
    return `${clock.localDate()} ${now.toLocaleTimeString('en-GB', format)}`;
  } catch {
    // A zone without a name is that of the process.
    return `${clock.localDate()} ${own}`;
  }
}
