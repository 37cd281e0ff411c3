/** Reads a stored session without opening it for writing: for views, diffs and forks. */
import type { Id } from '../content/content.js';
import { SessionNotFoundError } from '../transcript/errors.js';
import type { Transcript } from '../transcript/fold.js';
import { loadRecords } from '../transcript/load.js';
import { TranscriptLog } from '../transcript/log.js';
import type { TranscriptRecord } from '../transcript/records.js';
import type { Store } from '../transcript/store.js';

export type StoredTranscript = {
  readonly transcript: Transcript;
  /** In file order, foreign lines left out. */
  readonly records: readonly TranscriptRecord[];
  /** What the load noticed: unreadable lines, writes that were cut short. */
  readonly notes: readonly string[];
};

/** The main thread of a session. Takes no lock. Rejects with `SessionNotFoundError`, or with the store's errors. */
export async function readTranscript(store: Store, session: Id): Promise<StoredTranscript> {
  const { log, notes } = await readLog(store, session);
  return { transcript: log, records: log.all, notes };
}

/** The same with what a fork needs to know. */
export async function readLog(store: Store, session: Id): Promise<{ readonly log: TranscriptLog; readonly notes: readonly string[] }> {
  const open = await store.open(session, { write: false });
  try {
    const log = new TranscriptLog();
    const { records, notes } = await loadRecords(open.lines(session), session);
    log.add(records);
    if (log.chain.length === 0) throw new SessionNotFoundError(session, notes);
    return { log, notes };
  } finally {
    await open.close();
  }
}
