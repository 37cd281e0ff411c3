/** What a login at a server left behind, by the server's address: `<configDir>/mcp-logins.json`, for its owner's eyes alone. */
import { randomUUID } from 'node:crypto';
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
};

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
          const { servers, broken } = await readServers(file);
          if (broken) await rename(file, `${file}.broken`);
          const { [url]: _before, ...others } = servers;
          const after = login === undefined ? others : { ...others, [url]: login };
          await replace(file, `${JSON.stringify({ servers: after }, null, 2)}\n`);
          return undefined;
        } finally {
          await release();
        }
      } catch (error) {
        return codeOf(error);
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

async function readServers(file: string): Promise<{ readonly servers: Readonly<Record<string, unknown>>; readonly broken: boolean }> {
  const reading = await readTextFile(file);
  if (['missing', 'unreadable', 'directory', 'special'].includes(reading.type)) return { servers: {}, broken: false };
  try {
    const value: unknown = reading.type === 'text' ? JSON.parse(reading.text) : undefined;
    if (isObject(value) && isObject(value['servers'])) return { servers: value['servers'], broken: false };
  } catch {
    // It is kept beside.
  }
  return { servers: {}, broken: true };
}

function isLogin(value: unknown): value is StoredLogin {
  if (!isObject(value)) return false;
  const { client, tokens, server } = value;
  return (
    isObject(client) &&
    typeof client['client_id'] === 'string' &&
    isObject(tokens) &&
    typeof tokens['access_token'] === 'string' &&
    typeof server === 'string'
  );
}
