/** What a login at a server left behind, by the server's address: `<configDir>/mcp-logins.json`, for its owner's eyes alone. */
import { createHash, randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../files/failure.js';
import { makeFolders } from '../../files/make-folders.js';
import { readTextFile } from '../../files/read.js';
import { isObject } from '../../settings/shape.js';
import { awaitLock } from '../../store/await-lock.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';

type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>;
type ClientInformation = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;

/** As it was given: renewing a login needs the client that it was given to, and who gave it. */
export type StoredLogin = {
  readonly client: ClientInformation;
  readonly tokens: Tokens;
  /** Address of who gave it. */
  readonly server: string;
  /** What it is for, where that has a name of its own. */
  readonly resource?: string;
};

export type Logins = {
  /** Undefined: nobody logged in there, or what is stored can't be read. */
  read(url: string): Promise<StoredLogin | undefined>;
  /** Undefined: the login is forgotten. Everything else in the file stays. Why it could not be stored, or undefined. */
  write(url: string, login: StoredLogin | undefined): Promise<string | undefined>;
  /** Runs while no other process does this for the address: a login may be renewed with once. Waits half a minute for the others. */
  alone<T>(url: string, work: () => Promise<T>): Promise<T>;
};

/** Milliseconds that a renewal waits for one in another process. */
const WAITED = 35_000;

/** The folder is made with the first login. */
export function loginsFile(configDir: string): Logins {
  const file = join(configDir, 'mcp-logins.json');
  return {
    async read(url) {
      const found = (await readServers(file)).servers[url];
      return isLogin(found) ? found : undefined;
    },
    async write(url, login) {
      try {
        await makeFolders(configDir, { mode: 0o700 });
        const release = await awaitLock(`${file}.lock`);
        if (release === undefined) return `another process holds ${file}.lock`;
        try {
          const { path = file, servers, others, broken, unreadable } = await readServers(file);
          if (unreadable !== undefined) return `${file} can't be read: ${unreadable}`;
          if (broken) await rename(path, `${path}.broken`);
          const { [url]: _before, ...rest } = servers;
          const after = login === undefined ? rest : { ...rest, [url]: login };
          await replace(path, `${JSON.stringify({ ...others, servers: after }, null, 2)}\n`);
          return undefined;
        } finally {
          await release();
        }
      } catch (error) {
        return codeOf(error);
      }
    },
    async alone(url, work) {
      const name = createHash('sha256').update(url).digest('hex').slice(0, 16);
      // Where none can be had, it may still go well.
      const release = await awaitLock(`${file}.${name}.lock`, { forMs: WAITED }).catch(() => undefined);
      try {
        return await work();
      } finally {
        await release?.();
      }
    },
  };
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

type Servers = {
  /** The file itself, where this is a link to it. */
  readonly path?: string;
  readonly servers: Readonly<Record<string, unknown>>;
  /** What else it holds. */
  readonly others?: Readonly<Record<string, unknown>>;
  /** It is a file, and holds something else. */
  readonly broken?: true;
  /** Nobody knows what it holds: it must not be replaced. */
  readonly unreadable?: string;
};

async function readServers(file: string): Promise<Servers> {
  const reading = await readTextFile(file);
  if (reading.type === 'missing') return { servers: {} };
  if (reading.type === 'unreadable') return { servers: {}, unreadable: reading.why };
  if (reading.type === 'directory' || reading.type === 'special') return { servers: {}, unreadable: 'it is no file' };
  const { path } = reading;
  try {
    const { servers, ...others }: Readonly<Record<string, unknown>> = reading.type === 'text' ? objectOf(JSON.parse(reading.text)) : {};
    if (isObject(servers)) return { path, servers, others };
  } catch {
    // It is kept beside.
  }
  return { path, servers: {}, broken: true };
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});

function isLogin(value: unknown): value is StoredLogin {
  if (!isObject(value)) return false;
  const { client, tokens, server } = value;
  return (
    isObject(client) &&
    typeof client['client_id'] === 'string' &&
    isObject(tokens) &&
    isSendable(tokens['access_token']) &&
    typeof server === 'string'
  );
}

/** True for what a header can carry: another one would be shown in the error of whoever tries. */
export const isSendable = (token: unknown): boolean => typeof token === 'string' && /^[\u0021-\u007e]+$/.test(token);
