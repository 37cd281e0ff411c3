/** The look-up of memories: it starts the moment someone's words arrive, so that it may be ready when they are sent. */
import type { Ports } from '../attachments/ports.js';
import type { UserRecord } from '../transcript/records.js';

/** Nothing to look up where no words are, or where they are no person's or peer's. A port that fails is as one that finds nothing. */
export function beginRecall({ recall }: Ports, { id, content, origin }: Pick<UserRecord, 'id' | 'content' | 'origin'>): void {
  if (recall === undefined || origin === 'task' || origin === 'hook' || origin === 'summary') return;
  const words = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  try {
    recall.begin(id, words);
  } catch {
    // The kind that takes from it reports what it says.
  }
}
