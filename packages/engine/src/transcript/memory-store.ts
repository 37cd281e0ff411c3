/** A store in memory: lines as they would be in a file, and nothing left when the process ends. */
import type { Digest, Id } from '../content/content.js';
import { SessionBusyError } from './errors.js';
import type { OpenSession, Store } from './store.js';

/** Identity: the files. */
export class MemoryStore implements Store {
  readonly #digest: (text: string) => Digest;
  readonly #files = new Map<string, string[]>();
  readonly #texts = new Map<Digest, string>();
  /** Sessions that are open for writing. */
  protected readonly writing = new Set<Id>();

  constructor(options: { readonly digest: (text: string) => Digest }) {
    this.#digest = options.digest;
  }

  /** Lines of a thread: the list itself, which grows. */
  file(session: Id, thread: Id = session): string[] {
    const key = `${session}/${thread}`;
    const lines = this.#files.get(key) ?? [];
    this.#files.set(key, lines);
    return lines;
  }

  async open(session: Id, { write }: { readonly write: boolean }): Promise<OpenSession> {
    if (write && this.writing.has(session))
      throw new SessionBusyError(session, { pid: 0, host: 'this process', startedAt: 'it was opened' });
    if (write) this.writing.add(session);
    return {
      lines: (thread) => eachOf(this.file(session, thread)),
      append: async (thread, lines) => void this.file(session, thread).push(...lines),
      blobs: {
        put: async (text) => {
          const digest = this.#digest(text);
          this.#texts.set(digest, text);
          return digest;
        },
        get: async (digest) => this.#texts.get(digest) ?? null,
      },
      close: async () => {
        if (write) this.writing.delete(session);
      },
    };
  }

  async *list(): AsyncIterable<{ readonly session: Id; readonly changedAt: number }> {
    for (const [key, lines] of this.#files) {
      const [session = '', thread] = key.split('/');
      if (session === thread && lines.length > 0) yield { session, changedAt: 0 };
    }
  }
}

async function* eachOf(lines: readonly string[]): AsyncIterable<string> {
  yield* [...lines];
}
