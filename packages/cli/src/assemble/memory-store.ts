/** A store that keeps nothing on disk: for dry runs and `--no-session-persistence`. */
import { digestOf } from '@sidenote/node';
import { SessionBusyError, type Blobs, type Store } from '@sidenote/engine';

export function memoryStore(): Store {
  const files = new Map<string, string[]>();
  const texts = new Map<string, string>();
  const open = new Set<string>();
  const blobs: Blobs = {
    put: async (text) => {
      const digest = digestOf(text);
      texts.set(digest, text);
      return digest;
    },
    get: async (digest) => texts.get(digest) ?? null,
  };
  const file = (session: string, thread: string): string[] => {
    const key = `${session}/${thread}`;
    const lines = files.get(key) ?? [];
    files.set(key, lines);
    return lines;
  };
  return {
    async open(session, { write }) {
      if (write && open.has(session))
        throw new SessionBusyError(session, { pid: process.pid, host: 'this process', startedAt: 'its start' });
      if (write) open.add(session);
      return {
        lines: async function* (thread) {
          yield* [...file(session, thread)];
        },
        append: async (thread, lines) => void file(session, thread).push(...lines),
        blobs,
        close: async () => void (write && open.delete(session)),
      };
    },
    list: async function* () {
      for (const session of new Set([...files.keys()].map((key) => key.split('/')[0] ?? ''))) yield { session, changedAt: 0 };
    },
  };
}
