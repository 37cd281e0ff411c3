/** Events of things that run side by side, as one stream. */

/** Identity: a queue that one reader drains. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  push(value: T): void {
    this.#waiting.push(value);
    this.#wake?.();
  }

  /** What was pushed before is still read. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift() as T;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
