/** Words that come while the agent works: stored at once, told with the next results; what no message took along opens a prompt. */
import type { Content, Id, Steered, Thread } from '@sidenote/engine';

/** A prompt of words that wait in the queue. */
export type Rest = { readonly content: readonly Content[]; readonly steered: readonly Id[] };

export interface Steering {
  /** Words that no message has taken along, oldest first. */
  readonly waiting: readonly string[];
  add(words: string): void;
  /** Words that messages have taken along since this was asked last. */
  delivered(): readonly string[];
  /** Takes all that wait back. What is on its way to the model is not among them. */
  takeBack(): Promise<readonly string[]>;
  /** What waits, once all is stored, as one prompt; undefined: nothing does. Ask for what was delivered before. */
  rest(): Promise<Rest | undefined>;
}

type Item = {
  readonly words: string;
  /** Undefined until it is stored. */
  id: Id | undefined;
  /** Never rejects. */
  readonly stored: Promise<void>;
};

export type SteeringOptions = {
  /** Is told what could not be stored; such words wait in memory. */
  failed(error: unknown): void;
  /** Words that waited before. Default: none. */
  readonly earlier?: readonly Steered[];
};

export function steering(thread: Pick<Thread, 'steer' | 'steered' | 'withdraw'>, { failed, earlier = [] }: SteeringOptions): Steering {
  let items: Item[] = earlier.map(({ id, content }) => ({ id, words: textOf(content), stored: Promise.resolve() }));
  const delivered = (): readonly string[] => {
    const waiting = new Set(thread.steered.map(({ id }) => id));
    const isOut = ({ id }: Item): boolean => id !== undefined && !waiting.has(id);
    const out = items.filter(isOut);
    items = items.filter((item) => !isOut(item));
    return out.map(({ words }) => words);
  };
  return {
    get waiting() {
      return items.map(({ words }) => words);
    },
    add(words) {
      const stored = thread.steer(words).then((id) => void (item.id = id), failed);
      const item: Item = { words, id: undefined, stored };
      items.push(item);
    },
    delivered,
    async takeBack() {
      const taken: Item[] = [];
      for (const item of [...items]) {
        await item.stored;
        if (item.id === undefined || (await thread.withdraw(item.id))) taken.push(item);
      }
      items = items.filter((item) => !taken.includes(item));
      return taken.map(({ words }) => words);
    },
    async rest() {
      // More may come while these are being stored.
      for (let known = -1; known !== items.length;) {
        known = items.length;
        await Promise.all(items.map(({ stored }) => stored));
      }
      delivered();
      if (items.length === 0) return undefined;
      const content = items.map(({ words }): Content => ({ type: 'text', text: words }));
      const steered = items.flatMap(({ id }) => id ?? []);
      items = [];
      return { content, steered };
    },
  };
}

function textOf(content: readonly Content[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
