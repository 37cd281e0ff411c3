/** One server of a session: connected, lost, tried again with growing pauses, and asked for its lists when it says that they changed. */
import type { Client, ListChangedHandlers, Prompt, Resource, Tool } from '@modelcontextprotocol/client';
import { messageOf } from '@sidenote/engine';
import { listTools } from './list-tools.js';
import type { Logins } from './login/logins-file.js';
import { McpConnectError, openClient, type OpenedClient } from './open-client.js';
import { errorText } from './problem.js';
import type { McpEntry } from './server-config.js';

export type ConnectionOptions = {
  readonly entry: McpEntry;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly logins?: Logins | undefined;
  /** Milliseconds for a handshake, and for each list. */
  readonly timeoutMs: number;
  /** Milliseconds before each further attempt; after the last one it is given up. */
  readonly pausesMs: readonly number[];
  /** Something about it is other than before. */
  readonly changed: () => void;
};

export type ConnectionState =
  | { readonly type: 'connecting'; /** From 1. */ readonly attempt: number; readonly why?: string }
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly why: string };

type Lists = { tools: readonly Tool[]; prompts: readonly Prompt[]; resources: readonly Resource[] };

/** A connection that held so long has begun anew: later losses count from one again. */
const STEADY_MS = 60_000;

/** Identity: a conversation that is opened again when it is lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  #state: ConnectionState = { type: 'connecting', attempt: 1 };
  #opened: OpenedClient | undefined;
  #lists: Lists = { tools: [], prompts: [], resources: [] };
  #instructions = '';
  /** One line each, by list: what of it, or that it, could not be had. */
  readonly #notes = new Map<keyof Lists, readonly string[]>();
  #work: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #attempts = 0;
  /** When the newest attempt began. */
  #since = 0;
  #closed = false;
  #attempt = new AbortController();
  readonly #waiting = new Set<() => void>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#work = this.#connect();
  }

  get state(): ConnectionState {
    return this.#state;
  }
  get lists(): Readonly<Lists> {
    return this.#lists;
  }
  get instructions(): string {
    return this.#instructions;
  }
  get notes(): readonly string[] {
    return [...this.#notes.values()].flat();
  }

  /** The client, as soon as there is one; undefined when it has failed, or `ms` have passed. Never rejects. */
  async client({ ms, signal }: { readonly ms: number; readonly signal: AbortSignal }): Promise<Client | undefined> {
    await this.#until(({ type }) => type !== 'connecting', { ms, signal });
    return this.#state.type === 'ready' ? this.#opened?.client : undefined;
  }

  /** Resolves when the first attempt has ended, after `ms`, or when aborted. */
  tried(how: { readonly ms: number; readonly signal: AbortSignal }): Promise<void> {
    return this.#until((state) => state.type !== 'connecting' || state.attempt > 1, how);
  }

  /** Tries at once, also after it was given up. */
  async reconnect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#attempt.abort();
    await this.#work;
    clearTimeout(this.#timer);
    this.#attempts = 0;
    await this.#drop();
    this.#set({ type: 'connecting', attempt: 1 });
    this.#work = this.#connect();
    await this.#work;
  }

  /** The server behind this client does not answer as it should: it counts as lost. What several calls find is one loss. */
  lose(client: Client, why: string): void {
    if (this.#opened?.client !== client) return;
    if (Date.now() - this.#since > STEADY_MS) this.#attempts = 1;
    // Its children may outlive it.
    void this.#drop();
    this.#again(why);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#attempt.abort();
    this.#set({ type: 'failed', why: 'the session has ended' });
    await this.#drop();
    await this.#work;
  }

  async #connect(): Promise<void> {
    this.#attempts++;
    this.#attempt = new AbortController();
    this.#since = Date.now();
    let lostWhy: string | undefined;
    let opened: OpenedClient | undefined;
    try {
      opened = await openClient({
        ...this.#options,
        signal: this.#attempt.signal,
        changed: (list, error) => void this.#refresh(list, error),
        lost: (why) => {
          lostWhy = why;
          if (opened !== undefined) this.lose(opened.client, why);
        },
      });
      if (this.#closed || lostWhy !== undefined) {
        await opened.close();
        if (lostWhy !== undefined) this.#again(lostWhy);
        return;
      }
      this.#opened = opened;
      const { client } = opened;
      this.#instructions = client.getInstructions() ?? '';
      await Promise.all((['tools', 'prompts', 'resources'] as const).map((list) => this.#load(list, client)));
      if (this.#opened === opened) this.#set({ type: 'ready' });
    } catch (error) {
      const final = McpConnectError.isInstance(error) && error.final;
      this.#again(messageOf(error), { final });
    }
  }

  #again(why: string, { final = false }: { readonly final?: boolean } = {}): void {
    if (this.#closed) return;
    const pause = this.#options.pausesMs[this.#attempts - 1];
    if (final || pause === undefined) {
      this.#set({ type: 'failed', why: this.#attempts > 1 ? `${why} (given up after ${this.#attempts} attempts)` : why });
      return;
    }
    this.#set({ type: 'connecting', attempt: this.#attempts + 1, why });
    this.#timer = setTimeout(() => {
      this.#work = this.#connect();
    }, pause);
    // It must not keep a process alive that has nothing else to do.
    this.#timer.unref();
  }

  async #refresh(list: keyof ListChangedHandlers, error: Error | null): Promise<void> {
    const client = this.#opened?.client;
    if (client === undefined || error !== null) return;
    await this.#load(list, client);
    if (this.#opened?.client === client) this.#options.changed();
  }

  /** A list that can't be had leaves the old one as it was. */
  async #load(list: keyof Lists, client: Client): Promise<void> {
    if (client.getServerCapabilities()?.[list] === undefined) return;
    const how = { timeout: this.#options.timeoutMs, cacheMode: 'refresh', signal: this.#attempt.signal } as const;
    try {
      const { notes, ...found } =
        list === 'tools'
          ? await listTools(client, how)
          : list === 'prompts'
            ? { notes: [], prompts: (await client.listPrompts(undefined, how)).prompts }
            : { notes: [], resources: (await client.listResources(undefined, how)).resources };
      this.#lists = { ...this.#lists, ...found };
      this.#notes.set(list, notes);
    } catch (error) {
      this.#notes.set(list, [`its ${list} could not be listed (${errorText(error, 300)})`]);
    }
  }

  async #drop(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close().catch(() => undefined);
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    for (const done of this.#waiting) done();
    if (!this.#closed) this.#options.changed();
  }

  #until(isSo: (state: ConnectionState) => boolean, { ms, signal }: { readonly ms: number; readonly signal: AbortSignal }): Promise<void> {
    return new Promise((resolve) => {
      if (isSo(this.#state) || ms <= 0 || signal.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#waiting.delete(look);
        resolve();
      };
      const look = (): void => {
        if (isSo(this.#state)) end();
      };
      const timer = setTimeout(end, ms);
      this.#waiting.add(look);
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
