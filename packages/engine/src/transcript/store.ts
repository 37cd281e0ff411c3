/** Stores: lines in, lines out. A store knows nothing of records, so JSONL, SQL and memory are forty lines each. */
import type { Digest, Id } from '../content/content.js';

/** Texts by digest: what the model saw of files. */
export interface Blobs {
  put(text: string): Promise<Digest>;
  get(digest: Digest): Promise<string | null>;
}

export interface Store {
  /** Rejects with `SessionBusyError` when `write` is asked for and another process writes this session. */
  open(session: Id, how: { readonly write: boolean }): Promise<OpenSession>;
  list(): AsyncIterable<{ readonly session: Id; readonly changedAt: number }>;
}

export interface OpenSession {
  /** Unreadable lines come as they are; the codec reports them. */
  lines(thread: Id): AsyncIterable<string>;
  /**
   * One write. `process` survives a kill, `power` a power cut. Rejects with `StoreFullError` or
   * `StoreReadOnlyError`; never half-acknowledged.
   */
  append(thread: Id, lines: readonly string[], survive: 'process' | 'power'): Promise<void>;
  readonly blobs: Blobs;
  close(): Promise<void>;
}
