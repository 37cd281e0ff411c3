/** Puts what waits for delivery into a thread's queue, and takes steered words out of it again. */
import type { Id } from '../content/content.js';
import { queueValue, type QueueItem } from './queue.js';
import type { ThreadOptions } from './thread-options.js';
import type { Draft } from './writer.js';

type Place = Pick<ThreadOptions, 'ports' | 'queue' | 'writer'>;

/** Durable before it resolves. */
export async function enqueue({ ports, writer }: Place, value: QueueItem): Promise<Id> {
  const item = ports.ids.next();
  await writer.append([{ id: ports.ids.next(), type: 'queue', operation: 'enqueue', item, value: queueValue(value) }]);
  return item;
}

/** Nothing delivers these any more; the drafts make it durable. Items that don't wait, or are no steered words, are passed over. */
export function dequeued({ ports, queue }: Pick<Place, 'ports' | 'queue'>, items: readonly Id[]): readonly Draft[] {
  return items.filter((item) => queue.take(item)).map((item) => ({ id: ports.ids.next(), type: 'queue', operation: 'remove', item }));
}

/** What was taken out waits again when `stored` rejects. */
export async function unlessLost<T>({ queue }: Pick<Place, 'queue'>, stored: Promise<T>): Promise<T> {
  return stored.catch((error: unknown) => {
    queue.reread();
    throw error;
  });
}
