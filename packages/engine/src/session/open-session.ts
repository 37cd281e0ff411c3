/** Opens a session: new, resumed or forked. There is no special case beyond what is read from the store. */
import type { Ports } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import { SessionNotFoundError } from '../transcript/errors.js';
import { loadRecords } from '../transcript/load.js';
import { EngineSession } from './engine-session.js';
import { MissingPortError } from './errors.js';
import { refill } from './refill.js';
import { forkRecords } from './fork.js';
import { openThread, type OpenedThread, type SessionContext } from './open-thread.js';
import { readLog, whyEmpty } from './read-transcript.js';
import type { Session, SessionOptions } from './session.js';

const NEEDED = ['clock', 'ids', 'digest', 'tokens'] as const;

/**
 * Opens a session. With `resume` the stored records are read, and the next request sends the same bytes as before.
 * Rejects with `SessionNotFoundError`, with the store's errors, or with `MissingPortError`.
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const ports = neededPorts(options.ports);
  const fork = options.fork === true && options.resume !== undefined;
  const id = options.resume !== undefined && !fork ? options.resume : (options.id ?? ports.ids.next());
  const store = await options.store.open(id, { write: true });
  try {
    const context: SessionContext = { options, ports, store, session: id, threads: new Map() };
    const main = fork && options.resume !== undefined ? await forkedThread(context, options.resume) : await mainThread(context);
    return new EngineSession(context, main);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Checks the ports that nothing works without. */
function neededPorts(given: Partial<Ports>): Ports {
  for (const name of NEEDED) if (given[name] === undefined) throw new MissingPortError(name);
  return given as Ports;
}

async function mainThread(context: SessionContext): Promise<OpenedThread> {
  const { options, store, session } = context;
  const loaded = await loadRecords(store.lines(session), session, 'window');
  if (options.resume !== undefined && loaded.records.length === 0) throw new SessionNotFoundError(session, whyEmpty(loaded));
  const opened = openThread(context, { id: session, isMain: true, notes: loaded.notes });
  opened.log.add(loaded.records);
  // A rewind that was made in an earlier run can have led behind the newest boundary.
  await refill({ log: opened.log, store, thread: session }, opened.log.head);
  return opened;
}

/** A new session that holds the window of another one: the same bytes under a new id. */
async function forkedThread(context: SessionContext, from: Id): Promise<OpenedThread> {
  const { log, notes } = await readLog(context.options.store, from);
  const opened = openThread(context, { id: context.session, isMain: true, notes });
  await opened.writer.copy(forkRecords(log, context.session));
  return opened;
}
