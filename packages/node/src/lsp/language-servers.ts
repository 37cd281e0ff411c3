/** The language servers of a session, each started by the first file of its language. A message waits for them a moment, never longer. */
import type { FileProblems, Ports } from '@sidenote/engine';
import { isWithin, realPathOf } from '../files/paths.js';
import { extensionOf, LanguageServer, type LspStatus } from './language-server.js';
import { findTypescript, isTypescript, TYPESCRIPT, type ReadServers, type ServerEntry } from './server-entry.js';

export type LanguageServersOptions = {
  readonly servers: Pick<ReadServers, 'entries' | 'off'>;
  /** Files outside of it are none of theirs. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Ports['clock'], 'now' | 'sleep'>;
};

export interface LanguageServers {
  readonly servers: readonly LspStatus[];
  readonly port: NonNullable<Ports['languageServers']>;
  /** Ends them with all that they started. */
  close(): Promise<void>;
}

/** Milliseconds that a message waits after a file was written; a kind is given 150. */
const WAIT = 120;
/** Milliseconds after which a server that says nothing of a file is said to be silent. */
const PATIENCE = 15_000;
/** Written files that a server is told of: the last ones. */
const MOST_FILES = 20;

/** Nothing runs before a file is touched that one of them is for. */
export function createLanguageServers(options: LanguageServersOptions): LanguageServers {
  const { cwd, env, clock } = options;
  const running = new Map<ServerEntry, LanguageServer>();
  const root = realPathOf(cwd);
  let typescript: Promise<ServerEntry | undefined> | undefined;
  let isClosed = false;

  const entryFor = async (path: string): Promise<ServerEntry | undefined> => {
    const extension = extensionOf(path);
    const named = options.servers.entries.find(({ languages }) => Object.hasOwn(languages, extension));
    if (named !== undefined || !isTypescript(extension) || options.servers.off.includes(TYPESCRIPT)) return named;
    return (typescript ??= findTypescript(await root, env));
  };
  const grouped = async (paths: readonly string[]): Promise<ReadonlyMap<ServerEntry, readonly string[]>> => {
    const groups = new Map<ServerEntry, string[]>();
    for (const path of paths) {
      const entry = isWithin(await root, path) && !path.includes('/node_modules/') ? await entryFor(path) : undefined;
      if (entry !== undefined) groups.set(entry, [...(groups.get(entry) ?? []), path]);
    }
    return groups;
  };
  const serverOf = (entry: ServerEntry): LanguageServer => {
    const server = running.get(entry) ?? new LanguageServer({ entry, cwd, env, clock });
    running.set(entry, server);
    return server;
  };

  return {
    get servers() {
      return [...running.values()].map(({ status }) => status);
    },
    port: {
      async read({ touched, written }, signal) {
        if (isClosed) return { type: 'ready', value: [], version: '' };
        for (const entry of (await grouped(touched)).keys()) serverOf(entry).start();
        const groups = await grouped(written);
        const looks = [...groups].map(([entry, paths]) => serverOf(entry).look(paths.slice(-MOST_FILES)));
        const timer = new AbortController();
        const late = clock.sleep(WAIT, AbortSignal.any([signal, timer.signal])).catch(() => undefined);
        await Promise.race([Promise.all(looks), late]);
        timer.abort();
        const fresh: FileProblems[] = [];
        const silent: string[] = [];
        for (const entry of groups.keys()) {
          const server = serverOf(entry);
          const results = await server.results();
          const { status } = server;
          fresh.push(...results.fresh);
          if (status.state === 'ended') silent.push(`${status.name}: ${status.why ?? 'it is not there'}`);
          const late = results.silent.filter(({ forMs }) => forMs > PATIENCE).map(({ path }) => path);
          if (late.length > 0) silent.push(`no fresh result from ${status.name} for ${late.join(', ')}`);
        }
        if (fresh.length === 0 && silent.length > 0) return { type: 'unavailable', why: silent.join('; ') };
        return { type: 'ready', value: fresh, version: '' };
      },
    },
    async close() {
      isClosed = true;
      await Promise.all([...running.values()].map((server) => server.close()));
    },
  };
}
