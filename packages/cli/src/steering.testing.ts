/** A thread's queue of steered words for tests of whoever fills it. */
import type { Content, Id, PromptInput, Steered } from '@sidenote/engine';

export function testQueue() {
  let waiting: Steered[] = [];
  /** All words that were ever steered. */
  const steered: string[] = [];
  return {
    steered,
    thread: {
      get steered(): readonly Steered[] {
        return waiting;
      },
      async steer(words: PromptInput | string): Promise<Id> {
        const content: readonly Content[] = typeof words === 'string' ? [{ type: 'text', text: words }] : words.content;
        steered.push(...content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
        const id = `s${steered.length}`;
        waiting.push({ id, content });
        return id;
      },
      async withdraw(item: Id): Promise<boolean> {
        const before = waiting.length;
        waiting = waiting.filter(({ id }) => id !== item);
        return waiting.length < before;
      },
    },
    /** A message takes all along. */
    deliver(): void {
      waiting = [];
    },
    /** A prompt of these is stored. */
    prompted(input: PromptInput | string): void {
      if (typeof input !== 'string') waiting = waiting.filter(({ id }) => !input.steered?.includes(id));
    },
  };
}
