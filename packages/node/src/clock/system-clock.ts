/** The machine's clock. Days are those of the local time zone. */
import type { Ports } from '@sidenote/engine';
import { processZone, two } from './process-zone.js';

/** The longest time that a timer takes; longer sleeps are made of several. */
const maxTimerMs = 2 ** 31 - 1;

/** Time of the system, day and zone of the process (`TZ`). `sleep` resolves at its time, or at once when its signal is aborted. */
export function systemClock(): Ports['clock'] {
  return {
    now: () => Date.now(),
    localDate: () => isoDay(new Date()),
    timeZone: () => processZone(),
    async sleep(ms, signal) {
      for (let left = ms; left > 0 && !signal.aborted; left -= maxTimerMs) await rest(Math.min(left, maxTimerMs), signal);
    },
  };
}

/** Leaves neither a timer nor a listener behind, whichever comes first. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

function isoDay(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
