/** One language server: started when it is first needed, told of files as they are on disk, and believed only for these. */
import { pathToFileURL } from 'node:url';
import { messageOf, type Diagnostic, type FileProblems, type Ports } from '@sidenote/engine';
import { readTextFile } from '../files/read.js';
import { statFile } from '../files/stat.js';
import { diagnosticsOf, pathOf } from '../ide/wire.js';
import { isObject } from '../settings/shape.js';
import type { ServerEntry } from './server-entry.js';
import { startProcess, type ServerProcess } from './server-process.js';
import { typescriptProblems } from './typescript-problems.js';

export type ServerOptions = {
  readonly entry: ServerEntry;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Ports['clock'], 'now'>;
};

export type LspStatus = {
  readonly name: string;
  readonly state: 'starting' | 'ready' | 'ended';
  /** Why it has ended. */
  readonly why?: string;
  /** Files that it was told of. */
  readonly files: number;
};

type Document = {
  readonly path: string;
  readonly uri: string;
  version: number;
  /** What tells one state on disk from another. */
  stamp: string;
  /** When it was last sent. */
  changedAt: number;
  /** What the server has said since; `sure`: of the very text and its surroundings. */
  said: { readonly problems: readonly Diagnostic[]; readonly at: number; readonly sure: boolean } | undefined;
};

/** Milliseconds to get ready, and without a word after which what a server has published counts. */
const LIMIT = { start: 60_000, quiet: 1_000, answer: 30_000 } as const;
/** Bytes of a file that is sent. */
const LARGEST = 2 * 1024 * 1024;

/** Identity: one server with its documents, through restarts. */
export class LanguageServer {
  readonly #options: ServerOptions;
  readonly #documents = new Map<string, Document>();
  #process: ServerProcess | undefined;
  #state: LspStatus['state'] = 'ended';
  #why: string | undefined;
  #starts = 0;
  #isClosed = false;
  /** When any of its documents was last sent: problems of one may lie in another. */
  #changedAt = 0;
  #wanted: readonly string[] = [];
  /** Questions that are under way. */
  #asking = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get status(): LspStatus {
    const { name } = this.#options.entry;
    return { name, state: this.#state, files: this.#documents.size, ...(this.#why === undefined ? {} : { why: this.#why }) };
  }

  /** Starts it unless it runs, or has ended too often. */
  start(): void {
    const { entry } = this.#options;
    if (this.#state !== 'ended' || this.#isClosed || this.#starts > entry.maxRestarts) return;
    this.#starts++;
    this.#state = 'starting';
    this.#then(() => this.#open());
  }

  /** Tells it of these files as they are now. Resolves when it has said what it has to say of them, if it says so. */
  async look(paths: readonly string[]): Promise<void> {
    this.#wanted = paths;
    const asked = await this.#then(() => this.#sync());
    await asked?.done;
  }

  /** Of the files that are on disk as they were when it spoke of them, and of no others. */
  async results(): Promise<{
    readonly fresh: readonly FileProblems[];
    readonly silent: readonly { readonly path: string; readonly forMs: number }[];
  }> {
    const now = this.#options.clock.now();
    const documents = [...this.#documents.values()];
    // Another text of one of them may be felt in all.
    const areCurrent = (await Promise.all(documents.map(async ({ path, stamp }) => (await stampOf(path)) === stamp))).every(Boolean);
    const fresh: FileProblems[] = [];
    const silent: { path: string; forMs: number }[] = [];
    for (const { path, said, changedAt } of documents) {
      const isSettled = said !== undefined && (said.sure || now - Math.max(said.at, this.#changedAt) >= LIMIT.quiet);
      if (isSettled && areCurrent) fresh.push({ path, problems: said.problems });
      else silent.push({ path, forMs: now - changedAt });
    }
    return { fresh, silent };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#state = 'ended';
    await this.#process?.end();
  }

  /** One thing after another: versions must not overtake each other. */
  #then<T>(work: () => Promise<T>): Promise<T | undefined> {
    const next = this.#work.then(work).catch(() => undefined);
    this.#work = next;
    return next;
  }

  async #open(): Promise<void> {
    const { entry, cwd, env } = this.#options;
    this.#documents.clear();
    try {
      const process = await startProcess(entry, { cwd, env, ended: (why) => this.#end(why) });
      this.#process = process;
      if (this.#isClosed) return void (await process.end());
      this.#listen(process);
      await within(process.connection.sendRequest('initialize', this.#hello()), LIMIT.start);
      await process.connection.sendNotification('initialized', {});
      if (this.#state !== 'starting') return;
      this.#state = 'ready';
      this.#why = undefined;
      // What was wanted meanwhile.
      this.#then(() => this.#sync());
    } catch (error) {
      const process = this.#process;
      this.#end(`it does not get ready: ${messageOf(error)}`);
      await process?.end();
    }
  }

  #end(why: string): void {
    if (this.#isClosed || this.#state === 'ended') return;
    this.#state = 'ended';
    const left = this.#options.entry.maxRestarts - this.#starts + 1;
    this.#why = left > 0 ? why : `${why}; given up after ${this.#starts} starts`;
    this.#process = undefined;
    this.#documents.clear();
  }

  #hello(): object {
    const { entry, cwd } = this.#options;
    const uri = pathToFileURL(cwd).href;
    const published = entry.speaks === 'published' ? { publishDiagnostics: { versionSupport: true } } : {};
    return {
      processId: process.pid,
      clientInfo: { name: 'sidenote' },
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'workspace' }],
      capabilities: {
        textDocument: { synchronization: { didSave: true }, ...published },
        workspace: { configuration: true, workspaceFolders: true },
      },
      initializationOptions: entry.initializationOptions ?? {},
    };
  }

  #listen({ connection }: ServerProcess): void {
    const { cwd } = this.#options;
    connection.onNotification('textDocument/publishDiagnostics', (params: unknown) => this.#hear(params));
    connection.onRequest('workspace/configuration', (params: unknown) =>
      isObject(params) && Array.isArray(params['items']) ? params['items'].map(() => null) : [],
    );
    connection.onRequest('workspace/workspaceFolders', () => [{ uri: pathToFileURL(cwd).href, name: 'workspace' }]);
    for (const method of [
      'client/registerCapability',
      'client/unregisterCapability',
      'window/workDoneProgress/create',
      'window/showMessageRequest',
    ])
      connection.onRequest(method, () => null);
  }

  /** A version that is not the newest speaks of a text that is gone. */
  #hear(params: unknown): void {
    if (!isObject(params) || !Array.isArray(params['diagnostics'])) return;
    const document = this.#documents.get(pathOf(params['uri']) ?? '');
    const { version } = params;
    if (document === undefined || (typeof version === 'number' && version !== document.version)) return;
    const sure = typeof version === 'number' && document.changedAt === this.#changedAt;
    document.said = { problems: diagnosticsOf(params['diagnostics']), at: this.#options.clock.now(), sure };
  }

  /** `done`: when it has answered what it was asked. What comes next need not wait for it. */
  async #sync(): Promise<{ readonly done: Promise<void> } | undefined> {
    const process = this.#process;
    if (process === undefined || this.#state !== 'ready') return undefined;
    let isChanged = false;
    for (const path of new Set([...this.#documents.keys(), ...this.#wanted])) {
      const isSent = await this.#send(process, path);
      isChanged ||= isSent;
    }
    const isOpen = this.#asking === 0 && [...this.#documents.values()].some(({ said }) => said === undefined);
    if (this.#options.entry.speaks === 'published' || !(isChanged || isOpen)) return undefined;
    return { done: this.#ask(process) };
  }

  /** True when the server's text was another one. */
  async #send({ connection }: ServerProcess, path: string): Promise<boolean> {
    const known = this.#documents.get(path);
    const stamp = this.#wanted.includes(path) ? await stampOf(path) : undefined;
    if (known !== undefined && known.stamp === stamp) return false;
    const reading = stamp === undefined ? undefined : await readTextFile(path, { maxBytes: LARGEST });
    if (stamp === undefined || reading?.type !== 'text') {
      if (known === undefined) return false;
      this.#documents.delete(path);
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: known.uri } });
      return true;
    }
    const { text } = reading;
    const now = this.#options.clock.now();
    const document = known ?? { path, uri: pathToFileURL(path).href, version: 0, stamp, changedAt: now, said: undefined };
    Object.assign(document, { version: document.version + 1, stamp, changedAt: now, said: undefined });
    this.#changedAt = now;
    for (const other of this.#documents.values()) if (other.said?.sure === true) other.said = { ...other.said, sure: false };
    this.#documents.set(path, document);
    const { uri, version } = document;
    if (known === undefined) {
      const languageId = this.#options.entry.languages[extensionOf(path)];
      await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
    } else await connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
    await connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    return true;
  }

  /** Of all of them: what was changed in one may be felt in another. */
  async #ask({ connection }: ServerProcess): Promise<void> {
    const asked = [...this.#documents.values()];
    this.#asking++;
    await Promise.all(
      asked.map(async (document) => {
        const { version } = document;
        const since = this.#changedAt;
        document.said = undefined;
        const problems = await within(typescriptProblems(connection, document.path), LIMIT.answer).catch(() => undefined);
        if (problems === undefined || version !== document.version || since !== this.#changedAt) return;
        document.said = { problems, at: this.#options.clock.now(), sure: true };
      }),
    );
    this.#asking--;
  }
}

export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}

/** Undefined for what is no file. */
async function stampOf(path: string): Promise<string | undefined> {
  const found = await statFile(path);
  return found === undefined ? undefined : `${found.mtimeNs} ${found.ctimeNs} ${found.size} ${found.inode}`;
}

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms / 1_000} s`)), ms);
    timer.unref();
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
