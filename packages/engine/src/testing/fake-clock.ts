/** A clock that moves only when told to. */
import type { Ports } from '../attachments/ports.js';

type Sleeper = { readonly at: number; readonly wake: () => void };

/** Identity: a point in time. Local dates are UTC dates unless `offsetHours` says otherwise. */
export class FakeClock {
  #now: number;
  #sleepers: Sleeper[] = [];
  readonly #offset: number;

  constructor(start = '2026-10-22T09:00:00Z', options: { readonly offsetHours?: number } = {}) {
    this.#now = Date.parse(start);
    this.#offset = (options.offsetHours ?? 0) * 3_600_000;
  }

  now = (): number => this.#now;
  localDate = (): string => new Date(this.#now + this.#offset).toISOString().slice(0, 10);
  timeZone = (): string => (this.#offset === 0 ? 'UTC' : `UTC${this.#offset > 0 ? '+' : ''}${this.#offset / 3_600_000}`);
  sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new Error('aborted'));
        return;
      }
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(new Error('aborted'));
      });
    });

  /** How many are asleep: zero when every timer was cleared. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves on by milliseconds and wakes whoever is due. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter((one) => one.at <= this.#now);
    this.#sleepers = this.#sleepers.filter((one) => one.at > this.#now);
    for (const one of due) one.wake();
  }

  port(): Ports['clock'] {
    return { now: this.now, localDate: this.localDate, timeZone: this.timeZone, sleep: this.sleep };
  }
}
