/** Opens a session: new, resumed or forked. There is no special case beyond what is read from the store. */
import { builtInKinds } from '../attachments/kinds/index.js';
import type { Ports } from '../attachments/ports.js';
import type { Id, Json } from '../content/content.js';
import { profileOf } from '../request/profiles.js';
import { SessionNotFoundError } from '../transcript/errors.js';
import { loadRecords, type Loaded } from '../transcript/load.js';
import { TranscriptLog } from '../transcript/log.js';
import type { OpenSession } from '../transcript/store.js';
import { MissingPortError } from './errors.js';
import { forkRecords } from './fork.js';
import { pendingNotices, queuePorts, queueValue } from './queue.js';
import { readLog } from './read-transcript.js';
import type { Notice, Session, SessionOptions, Thread } from './session.js';
import { EngineThread } from './thread.js';
import { RecordWriter } from './writer.js';

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
    const context = { options, ports, store, session: id };
    const main = fork && options.resume !== undefined ? await forkedThread(context, options.resume) : await mainThread(context);
    return new EngineSession(context, main);
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Context = { readonly options: SessionOptions; readonly ports: Ports; readonly store: OpenSession; readonly session: Id };
type Opened = {
  readonly thread: EngineThread;
  readonly log: TranscriptLog;
  readonly writer: RecordWriter;
  readonly notes: readonly string[];
};

/** Checks the ports that nothing works without. */
function neededPorts(given: Partial<Ports>): Ports {
  for (const name of NEEDED) if (given[name] === undefined) throw new MissingPortError(name);
  return given as Ports;
}

async function mainThread(context: Context): Promise<Opened> {
  const { options, store, session } = context;
  const loaded = await loadRecords(store.lines(session), session);
  if (options.resume !== undefined && loaded.records.length === 0) throw new SessionNotFoundError(session, whyEmpty(loaded));
  const opened = openThread(context, { id: session, isMain: true, notes: loaded.notes });
  opened.log.add(loaded.records);
  return opened;
}

function whyEmpty({ notes, foreign }: Loaded): readonly string[] {
  return foreign === 0 ? notes : [...notes, `${foreign} lines are of another program, or of a version that is not known here`];
}

/** A new session that holds the window of another one: the same bytes under a new id. */
async function forkedThread(context: Context, from: Id): Promise<Opened> {
  const { log, notes } = await readLog(context.options.store, from);
  const opened = openThread(context, { id: context.session, isMain: true, notes });
  await opened.writer.copy(forkRecords(log, context.session));
  return opened;
}

function openThread(
  { options, ports, store, session }: Context,
  { id, isMain, notes }: { readonly id: Id; readonly isMain: boolean; readonly notes: readonly string[] },
): Opened {
  const log = new TranscriptLog();
  const fields: Record<string, Json> = {
    sessionId: session,
    isSidechain: !isMain,
    userType: 'external',
    version: options.client ?? 'sidenote',
    ...options.fields,
  };
  const writer = new RecordWriter({ thread: id, log, store, ports, fields });
  const all: Ports = { ...ports, blobs: ports.blobs ?? store.blobs, ...queuePorts(log) };
  const thread = new EngineThread({
    id,
    isMain,
    log,
    writer,
    ports: all,
    kinds: options.kinds ?? builtInKinds,
    profile: options.profile ?? profileOf,
    session: options,
  });
  return { thread, log, writer, notes };
}

/** Identity: an open file and its threads. */
class EngineSession implements Session {
  readonly id: Id;
  readonly main: Thread;
  readonly notes: readonly string[];
  readonly blobs: Session['blobs'];
  readonly #context: Context;
  readonly #main: Opened;

  constructor(context: Context, main: Opened) {
    this.id = context.session;
    this.main = main.thread;
    this.notes = main.notes;
    this.blobs = context.ports.blobs ?? context.store.blobs;
    this.#context = context;
    this.#main = main;
  }

  async spawn({ from, tools, system }: Parameters<Session['spawn']>[0]): Promise<Thread> {
    const { options, ports } = this.#context;
    const id = ports.ids.next();
    const own = { ...this.#context, options: { ...options, tools, ...(system === undefined ? {} : { system }) } };
    const opened = openThread(own, { id, isMain: false, notes: [] });
    if (from === 'fork') await opened.writer.copy(forkRecords(this.#main.log, id));
    return opened.thread;
  }

  async notify({ text, trust, wake }: Notice): Promise<Id> {
    const { ids } = this.#context.ports;
    const item = ids.next();
    await this.#main.writer.append([
      { id: ids.next(), type: 'queue', operation: 'enqueue', item, value: queueValue({ type: 'notice', text, trust, wake }) },
    ]);
    return item;
  }

  get pending(): readonly Notice[] {
    return pendingNotices(this.#main.log);
  }

  async set(key: 'model' | 'mode' | 'effort' | 'title' | 'injection', value: Json): Promise<void> {
    await this.#main.writer.append([{ id: this.#context.ports.ids.next(), type: 'state', key, value }]);
  }

  close(): Promise<void> {
    return this.#context.store.close();
  }
}
