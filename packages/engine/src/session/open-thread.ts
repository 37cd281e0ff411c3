/** Puts one thread of a session together: its log, its writer, its ports. */
import { builtInKinds } from '../attachments/kinds/index.js';
import type { Ports } from '../attachments/ports.js';
import type { Id, Json } from '../content/content.js';
import { profileOf } from '../request/profiles.js';
import { TranscriptLog } from '../transcript/log.js';
import type { OpenSession } from '../transcript/store.js';
import type { SpawnedAgent } from './agents.js';
import { Queue, queuePorts } from './queue.js';
import type { SessionOptions } from './session.js';
import { refill } from './refill.js';
import { namingSiblings, type Sibling } from './siblings.js';
import { EngineThread } from './thread.js';
import { RecordWriter } from './writer.js';

export type SessionContext = {
  readonly options: SessionOptions;
  readonly ports: Ports;
  readonly store: OpenSession;
  readonly session: Id;
  /** All threads that are open, the main one included. */
  readonly threads: Map<Id, OpenedThread>;
};

export type OpenedThread = {
  readonly thread: EngineThread;
  readonly log: TranscriptLog;
  readonly writer: RecordWriter;
  readonly notes: readonly string[];
};

export type ThreadSpec = {
  readonly id: Id;
  readonly isMain: boolean;
  readonly notes: readonly string[];
};

export function openThread(context: SessionContext, { id, isMain, notes }: ThreadSpec): OpenedThread {
  const { options, ports, store, session, threads } = context;
  const log = new TranscriptLog({ texts: 'window', ...(ports.packing === undefined ? {} : { packing: ports.packing }) });
  const fields: Record<string, Json> = {
    sessionId: session,
    isSidechain: !isMain,
    ...(isMain ? {} : { agentId: id }),
    userType: 'external',
    version: options.client ?? 'sidenote',
    ...options.fields,
  };
  const writer = new RecordWriter({ thread: id, log, store, ports, fields });
  const queue = new Queue(log);
  const { changes } = ports;
  const all: Ports = {
    ...ports,
    blobs: ports.blobs ?? store.blobs,
    ...(changes === undefined ? {} : { changes: namingSiblings(changes, () => siblingsOf(id, threads)) }),
    ...queuePorts(queue),
  };
  const thread = new EngineThread({
    id,
    isMain,
    log,
    queue,
    writer,
    ports: all,
    kinds: options.kinds ?? builtInKinds,
    profile: options.profile ?? profileOf,
    session: options,
    refill: (head) => refill({ log, store, thread: id }, head),
  });
  const opened = { thread, log, writer, notes };
  threads.set(id, opened);
  return opened;
}

function siblingsOf(own: Id, threads: SessionContext['threads']): readonly Sibling[] {
  return [...threads].flatMap(([id, { thread, log }]) => (id === own ? [] : [{ title: titleOf(thread.agent), log }]));
}

const titleOf = (agent: SpawnedAgent | null): string => (agent === null ? 'the main agent' : `the agent ${agent.name ?? agent.thread}`);
