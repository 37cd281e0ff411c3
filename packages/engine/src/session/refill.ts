/** Puts texts back that were left out of memory: for a rewind to before a boundary. */
import type { Id } from '../content/content.js';
import { loadRecords } from '../transcript/load.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { OpenSession } from '../transcript/store.js';

export type Refill = { readonly log: TranscriptLog; readonly store: Pick<OpenSession, 'lines'>; readonly thread: Id };

/** After this the window that ends at `head` is whole. Cost: nothing, or reading the file once more. */
export async function refill({ log, store, thread }: Refill, head: Id | null): Promise<void> {
  const texts = log.leftOut(head);
  if (texts.size === 0) return;
  const { records } = await loadRecords(store.lines(thread), thread, texts);
  log.restore(records.filter(({ id }) => texts.has(id)));
}
