/** Where a thread is in its cycle, and the guard before each step: what comes out of turn is refused with what to do. */
import { ThreadStateError } from './errors.js';
import type { Thread } from './session.js';

/** Identity: a state, and the one call that may be collecting or appending. */
export class Cycle {
  state: Thread['state'] = 'idle';
  #working: string | undefined;
  #running: Promise<unknown> = Promise.resolve();

  /** Two calls that collect and append must not run into each other. */
  async alone<T>(call: string, work: () => Promise<T>): Promise<T> {
    this.#working = call;
    const running = work();
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#working = undefined;
    }
  }

  /** Resolves when the call at work has ended, however it does. */
  async rest(): Promise<void> {
    await this.#running.catch(() => undefined);
  }

  /** @throws {ThreadStateError} while a call is at work. */
  expectRest(call: string): void {
    if (this.#working !== undefined) throw new ThreadStateError(call, `in ${this.#working}()`, 'wait for it; its signal makes it end soon');
  }

  /** @throws {ThreadStateError} in another state; `hint` says what to do. */
  expect(call: string, state: Thread['state'], hint: string): void {
    this.expectRest(call);
    if (this.state !== state) throw new ThreadStateError(call, this.state, hint);
  }
}
