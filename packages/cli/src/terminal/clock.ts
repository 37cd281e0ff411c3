/** Time as the screen needs it: a test moves it by hand. */

export interface ScreenClock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Calls `tick` once after `ms` milliseconds; the function that comes back takes it back. */
  after(ms: number, tick: () => void): () => void;
}

/** The time of this process. */
export const screenClock: ScreenClock = {
  now: () => performance.now(),
  after: (ms, tick) => {
    const timer = setTimeout(tick, ms);
    return () => clearTimeout(timer);
  },
};
