/** Reads a stored session without opening it for writing: for views, diffs and forks. */
import type { Id } from '../content/content.js';
import { messageOf } from '../content/message-of.js';
import { isOnChain } from '../transcript/chain.js';
import { SessionNotFoundError } from '../transcript/errors.js';
import type { Transcript } from '../transcript/fold.js';
import { loadRecords, type Loaded } from '../transcript/load.js';
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
    const loaded = await loadRecords(open.lines(session), session);
    log.add(loaded.records);
    if (log.chain.length === 0) throw new SessionNotFoundError(session, whyEmpty(loaded));
    return { log, notes: loaded.notes };
  } finally {
    await open.close();
  }
}

/** Lines at the beginning of a session that are enough to find a conversation in one that is whole. */
const LOOK = 64;

/**
 * Why there is no conversation in a session that could be gone on with; undefined: there is one. Takes no lock, and reads
 * no further than it has to. Never rejects: what the store says against it is the reason.
 */
export async function whyNoConversation(store: Store, session: Id): Promise<string | undefined> {
  try {
    const open = await store.open(session, { write: false });
    try {
      const begins = await loadRecords(first(LOOK, open.lines(session)), session, 'window');
      if (begins.records.some(isOnChain)) return undefined;
      const whole = await loadRecords(open.lines(session), session, 'window');
      return whole.records.some(isOnChain) ? undefined : new SessionNotFoundError(session, whyEmpty(whole)).message;
    } finally {
      await open.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}

async function* first(count: number, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let left = count;
  for await (const line of lines) {
    yield line;
    if (--left === 0) return;
  }
}

/** What is wrong with a session of which nothing was read. */
export function whyEmpty({ notes, foreign }: Pick<Loaded, 'notes' | 'foreign'>): readonly string[] {
  return foreign === 0 ? notes : [...notes, `${foreign} lines are of another program, or of a version that is not known here`];
}
