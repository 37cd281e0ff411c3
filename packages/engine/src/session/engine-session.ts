/** An open session: its main thread, and the threads that were spawned beside it. */
import type { Ports } from '../attachments/ports.js';
import type { Id, Json } from '../content/content.js';
import { prefixFold } from '../request/sent.js';
import { loadRecords } from '../transcript/load.js';
import { refill } from './refill.js';
import { agentsFold, agentValue, type SpawnedAgent } from './agents.js';
import { callsFold, openCalls } from './calls.js';
import { resultDraft } from './drafts.js';
import { UnknownThreadError } from './errors.js';
import { switchedOff } from './switches.js';
import { forkRecords } from './fork.js';
import { openThread, type OpenedThread, type SessionContext } from './open-thread.js';
import { paramsFor, stateFold } from './prefix.js';
import type { Aside, Notice, Session, SettingKey, SpawnSpec, Thread } from './session.js';
import type { Draft } from './writer.js';

/** What calls that were open where a thread was forked get there for a result: the same for each, so that forks share it. */
const FORKED = 'The conversation was forked here, and this is the fork: the call is answered in the other branch. Your task follows.';

/** Identity: an open file and its threads. */
export class EngineSession implements Session {
  readonly id: Id;
  readonly main: Thread;
  readonly notes: readonly string[];
  readonly blobs: Session['blobs'];
  readonly #context: SessionContext;
  readonly #main: OpenedThread;
  /** Threads that are being read from the store: each is opened once. */
  readonly #opening = new Map<Id, Promise<Thread>>();

  constructor(context: SessionContext, main: OpenedThread) {
    this.id = context.session;
    this.main = main.thread;
    this.notes = main.notes;
    this.blobs = context.ports.blobs ?? context.store.blobs;
    this.#context = context;
    this.#main = main;
  }

  get threads(): readonly Thread[] {
    return [...this.#context.threads.values()].map(({ thread }) => thread);
  }

  get agents(): readonly SpawnedAgent[] {
    return [...this.#main.log.read(agentsFold).values()];
  }

  async spawn(spec: SpawnSpec): Promise<Thread> {
    const { ports, threads } = this.#context;
    const parent = threads.get(spec.parent ?? this.id);
    if (parent === undefined) throw new UnknownThreadError(spec.parent ?? this.id);
    const { agent, name, cwd, off, id = ports.ids.next() } = spec;
    const spawned: SpawnedAgent = {
      thread: id,
      agent,
      parent: parent.thread.id,
      ...(name === undefined ? {} : { name }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(off === undefined ? {} : { off }),
    };
    const opened = openThread(this.#contextOf(spawned, spec.ports, headOf(spec, parent)), { id, isMain: false, notes: [] });
    if (spec.from === 'fork') await opened.writer.copy(forkRecords(parent.log, id));
    const open = openCalls(opened.log.read(callsFold));
    const answered = open.map((call): Draft => resultDraft(call.id, FORKED, ports.ids.next()));
    const state = (): Draft => ({ id: ports.ids.next(), type: 'state', key: 'agent', value: agentValue(spawned) });
    await opened.writer.append([...answered, state()]);
    await this.#main.writer.append([state()]);
    return opened.thread;
  }

  thread(id: Id, { ports }: { readonly ports?: Partial<Ports> } = {}): Promise<Thread> {
    const open = this.#context.threads.get(id)?.thread;
    if (open !== undefined) return Promise.resolve(open);
    const opening = this.#opening.get(id) ?? this.#reopen(id, ports).finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #reopen(id: Id, ports: Partial<Ports> | undefined): Promise<Thread> {
    const { store } = this.#context;
    const spawned = this.#main.log.read(agentsFold).get(id);
    const loaded = spawned === undefined ? undefined : await loadRecords(store.lines(id), id, 'window');
    if (spawned === undefined || loaded === undefined || loaded.records.length === 0) throw new UnknownThreadError(id);
    // The newest stored prompt stands for the agent's own, should a prefix have to be made anew.
    const prefix = loaded.records.findLast((record) => record.type === 'prefix');
    const head = prefix?.type === 'prefix' ? { system: prefix.system, tools: prefix.tools } : {};
    const opened = openThread(this.#contextOf(spawned, ports, head), { id, isMain: false, notes: loaded.notes });
    opened.log.add(loaded.records);
    await refill({ log: opened.log, store, thread: id }, opened.log.head);
    return opened.thread;
  }

  /** The session's options and ports, with what is the agent's own. */
  #contextOf({ off }: SpawnedAgent, ports: Partial<Ports> | undefined, head: Partial<SessionContext['options']>): SessionContext {
    const { options } = this.#context;
    return {
      ...this.#context,
      options: { ...options, ...head, off: { ...options.off, ...switchedOff(this.#main.log), ...off } },
      ports: { ...this.#context.ports, ...ports },
    };
  }

  notify(item: Notice): Promise<Id> {
    return this.main.notify(item);
  }

  get pending(): readonly Notice[] {
    return this.main.pending;
  }

  set(key: SettingKey, value: Json): Promise<void> {
    return this.#state(key, value);
  }

  spent({ model, usage }: Aside): Promise<void> {
    return this.#state('usage', { model, usage });
  }

  async #state(key: SettingKey | 'usage', value: Json): Promise<void> {
    await this.#main.writer.append([{ id: this.#context.ports.ids.next(), type: 'state', key, value }]);
  }

  close(): Promise<void> {
    return this.#context.store.close();
  }
}

/** System prompt, tools, model and parameters of a thread that begins afresh; a fork has those that it copies. */
function headOf(spec: SpawnSpec, { log }: OpenedThread): Partial<SessionContext['options']> {
  if (spec.from === 'fork') return {};
  const { tools, system } = spec;
  const prefix = log.read(prefixFold).value;
  const set = log.read(stateFold).model;
  const model = spec.model ?? (typeof set === 'string' ? set : prefix?.model);
  const params = spec.params ?? (model === undefined || prefix === null ? undefined : paramsFor(prefix, model));
  return {
    tools,
    ...(system === undefined ? {} : { system }),
    ...(model === undefined ? {} : { model }),
    ...(params === undefined ? {} : { params }),
  };
}
