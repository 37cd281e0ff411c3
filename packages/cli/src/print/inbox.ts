/** Prompts in the order they came. What comes while a turn runs may be taken by that turn instead of waiting. */
import { messageOf } from '@sidenote/engine';
import type { PromptLine } from './prompt-line.js';

/** Identity: a queue that is filled from one source and emptied by one reader. */
export class Inbox {
  readonly #waiting: PromptLine[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  #taker: ((line: PromptLine) => boolean) | undefined;

  /** Reads `source` to its end, behind whoever takes prompts out. */
  static of(source: AsyncIterable<PromptLine> | Iterable<PromptLine>): Inbox {
    const inbox = new Inbox();
    void inbox.#fill(source);
    return inbox;
  }

  async #fill(source: AsyncIterable<PromptLine> | Iterable<PromptLine>): Promise<void> {
    try {
      for await (const line of source) {
        // What waits is never overtaken.
        if (this.#waiting.length === 0 && this.#taker?.(line)) continue;
        this.#waiting.push(line);
        this.#wake?.();
      }
    } catch (error) {
      this.#waiting.push({ type: 'bad', why: messageOf(error) });
    }
    this.#ended = true;
    this.#wake?.();
  }

  /** The next prompt; undefined when there are no more, or when `signal` fires first. */
  async next(signal: AbortSignal): Promise<PromptLine | undefined> {
    for (;;) {
      if (signal.aborted) return undefined;
      const line = this.#waiting.shift();
      if (line !== undefined || this.#ended) return line;
      await this.#change(signal);
    }
  }

  /** Something came, or `signal` fired; nothing of the waiting is left on the signal, which lives as long as the process. */
  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#wake = done;
      signal.addEventListener('abort', done);
    });
  }

  /** Puts prompts that were taken, and not used, in front of all others. */
  putBack(lines: readonly PromptLine[]): void {
    this.#waiting.unshift(...lines);
  }

  /** Offers what comes from now on to `taker` first; undefined ends it. */
  offer(taker: ((line: PromptLine) => boolean) | undefined): void {
    this.#taker = taker;
  }
}
