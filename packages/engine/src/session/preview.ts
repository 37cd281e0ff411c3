/** Drafts as records that are on no chain: what a preview plans with. */
import type { Id } from '../content/content.js';
import { isOnChain } from '../transcript/chain.js';
import type { ChainRecord, TranscriptRecord } from '../transcript/records.js';
import type { Draft } from './writer.js';

export function previewRecords(drafts: readonly Draft[], head: Id | null, thread: Id): readonly ChainRecord[] {
  const batch = { id: 'preview', index: 0, count: drafts.length };
  return drafts.map((draft) => ({ ...draft, at: '', thread, parent: head, batch }) as TranscriptRecord).filter(isOnChain);
}
