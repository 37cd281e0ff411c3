/** The transcript store on disk: JSON lines, one file per thread, one writer per session. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SessionBusyError, SessionNotFoundError, StoreReadOnlyError, type Id, type OpenSession, type Store } from '@sidenote/engine';
import { codeOf } from '../files/failure.js';
import { appendFile, type AppendFile } from './append-file.js';
import { storeError } from './failure.js';
import { fileBlobs, unsavedBlobs } from './file-blobs.js';
import { makeFolder, removeEmpty } from './folders.js';
import { takeLock, type LockResult } from './lock.js';
import { projectFolder } from './project-folder.js';
import { readLines } from './read-lines.js';
import { belongsTo } from './session-folder.js';
import { isPlainName, lockFile, threadFile } from './session-paths.js';

export type JsonlStoreOptions = {
  /** Sessions belong to this working directory. */
  readonly cwd: string;
  /** Default: `SIDENOTE_CONFIG_DIR`, else `~/.sidenote`. */
  readonly configDir?: string;
};

/**
 * Sessions under `<configDir>/projects/<project>/`. Nothing is made before something is stored, except a lock while a
 * session is open for writing. An id that isn't a plain name is `SessionNotFoundError`.
 */
export function jsonlStore(options: JsonlStoreOptions): Store {
  const folder = projectFolder(options);
  return {
    async open(session, { write }) {
      if (!isPlainName(session)) throw new SessionNotFoundError(session);
      return write ? openForWriting(folder, session) : openForReading(folder, session);
    },
    list: () => listSessions(folder, options.cwd),
  };
}

/** The session in this store that was written last, of those that `suits` takes, for `--continue`; null when there is none. */
export async function newestSession(store: Store, suits: (session: Id) => boolean | Promise<boolean> = () => true): Promise<Id | null> {
  for await (const { session } of store.list()) if (await suits(session)) return session;
  return null;
}

export type SessionMatch =
  | { readonly type: 'found'; readonly session: Id }
  | { readonly type: 'missing' }
  | { readonly type: 'ambiguous'; readonly sessions: readonly Id[] };

/** The session in this store whose id is `name`, or begins with it. */
export async function findSession({ store, name }: { readonly store: Store; readonly name: string }): Promise<SessionMatch> {
  const sessions: Id[] = [];
  for await (const { session } of store.list()) {
    if (session === name) return { type: 'found', session };
    if (name !== '' && session.startsWith(name)) sessions.push(session);
  }
  const [session, ...more] = sessions;
  if (session === undefined) return { type: 'missing' };
  return more.length === 0 ? { type: 'found', session } : { type: 'ambiguous', sessions };
}

/** Where the main thread of a session is, or will be, written. */
export function sessionFile({ session, ...options }: JsonlStoreOptions & { readonly session: Id }): string {
  return threadFile(projectFolder(options), session, session);
}

const sessionOf = (fileName: string) => fileName.slice(0, -'.jsonl'.length);

/** Those of `cwd` alone: another directory can have the same project name. */
async function* listSessions(folder: string, cwd: string): AsyncGenerator<{ session: Id; changedAt: number }> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  });
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl') && isPlainName(sessionOf(name)))
      .map(async (name) => ({ session: sessionOf(name), stat: await stat(join(folder, name)).catch(() => undefined) })),
  );
  const sessions = found.flatMap(({ session, stat }) => (stat?.isFile() && stat.size > 0 ? [{ session, changedAt: stat.mtimeMs }] : []));
  const sorted = sessions.toSorted((a, b) => b.changedAt - a.changedAt || (a.session < b.session ? -1 : 1));
  for (const entry of sorted) if (await belongsTo(join(folder, `${entry.session}.jsonl`), cwd)) yield entry;
}

const linesOf = (folder: string, session: Id, thread: Id) => {
  if (!isPlainName(thread)) throw new SessionNotFoundError(`${session}/${thread}`);
  return readLines(threadFile(folder, session, thread));
};

function openForReading(folder: string, session: Id): OpenSession {
  return {
    lines: (thread) => linesOf(folder, session, thread),
    append: async (thread) => {
      throw new StoreReadOnlyError(threadFile(folder, session, thread), 'it was opened for reading');
    },
    blobs: unsavedBlobs(fileBlobs(join(folder, 'blobs'))),
    close: async () => {},
  };
}

async function openForWriting(folder: string, session: Id): Promise<OpenSession> {
  const { release, made } = await lockSession(folder, session);
  const files = new Map<string, AppendFile>();
  let closing: Promise<void> | undefined;
  const close = async () => {
    await Promise.allSettled([...files.values()].map((file) => file.close()));
    await release();
    await removeEmpty(made);
  };
  return {
    lines: (thread) => linesOf(folder, session, thread),
    async append(thread, lines, survive) {
      const path = threadFile(folder, session, thread);
      if (!isPlainName(thread)) throw new SessionNotFoundError(`${session}/${thread}`);
      if (closing !== undefined) throw new StoreReadOnlyError(path, 'the session was closed');
      if (lines.length === 0) return;
      if (lines.some((line) => line.includes('\n'))) throw new TypeError('a line holds a newline');
      const file = files.get(path) ?? appendFile(path);
      files.set(path, file);
      await file.append(lines, survive);
    },
    blobs: fileBlobs(join(folder, 'blobs')),
    close: () => (closing ??= close()),
  };
}

/** Takes the session's lock. Another process may remove the still empty folder at any moment, so that is tried again. */
async function lockSession(folder: string, session: Id): Promise<{ release: () => Promise<void>; made: readonly string[] }> {
  const path = lockFile(folder, session);
  for (let tries = 1; ; tries++) {
    let made: readonly string[] = [];
    let result: LockResult;
    try {
      made = await makeFolder(folder);
      result = await takeLock(path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && tries < 10) continue;
      await removeEmpty(made);
      throw storeError(error, dirname(path));
    }
    if (result.type === 'taken') return { release: result.release, made };
    throw new SessionBusyError(session, result.owner);
  }
}
