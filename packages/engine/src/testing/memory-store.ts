/** A store in memory: lines as they would be in a file. It can stop after a write, as a killed process would. */
import type { Digest, Id } from '../content/content.js';
import { SessionBusyError } from '../transcript/errors.js';
import type { OpenSession, Store } from '../transcript/store.js';
import { testDigest } from './test-ports.js';

/** Identity: the files. */
export class MemoryStore implements Store {
  readonly #files = new Map<string, string[]>();
  readonly #blobs = new Map<Digest, string>();
  readonly #open = new Set<Id>();
  /** Writes so far, over all sessions. */
  writes = 0;
  /** Called before each write; throwing makes the write fail with nothing stored. */
  beforeWrite: (lines: readonly string[]) => void = () => undefined;

  /** Lines of a thread, to look at or to damage. */
  file(session: Id, thread: Id = session): string[] {
    const key = `${session}/${thread}`;
    const lines = this.#files.get(key) ?? [];
    this.#files.set(key, lines);
    return lines;
  }

  /** As if every process that has a session open had died. */
  release(): void {
    this.#open.clear();
  }

  async open(session: Id, { write }: { readonly write: boolean }): Promise<OpenSession> {
    if (write) {
      if (this.#open.has(session)) throw new SessionBusyError(session, { pid: 0, host: 'memory', startedAt: 'now' });
      this.#open.add(session);
    }
    return {
      lines: (thread) => eachOf(this.file(session, thread)),
      append: async (thread, lines) => {
        this.beforeWrite(lines);
        this.writes++;
        this.file(session, thread).push(...lines);
      },
      blobs: {
        put: async (text) => {
          const digest = testDigest(text);
          this.#blobs.set(digest, text);
          return digest;
        },
        get: async (digest) => this.#blobs.get(digest) ?? null,
      },
      close: async () => void this.#open.delete(session),
    };
  }

  async *list(): AsyncIterable<{ readonly session: Id; readonly changedAt: number }> {
    for (const key of this.#files.keys()) {
      const [session = '', thread] = key.split('/');
      if (session === thread) yield { session, changedAt: 0 };
    }
  }
}

async function* eachOf(lines: readonly string[]): AsyncIterable<string> {
  yield* [...lines];
}
