/** Servers that mean no good: what they answer costs the login, and nothing else. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { logIn } from './log-in.js';
import { loginPages } from './login-pages.js';
import { loginServer } from './login-server.testing.js';
import { isSendable, loginsFile, type StoredLogin } from './logins-file.js';
import { storedLogin } from './stored-login.js';

type Page = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let pages: Record<string, Page>;
let origin: string;
const server = createServer((request, response) => {
  const page = pages[(request.url ?? '').split('?')[0] ?? ''];
  if (page === undefined) response.writeHead(404).end();
  else page(request, response);
});

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Page => {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};
const never: Page = () => undefined;
/** Writes for as long as somebody reads. */
const flood: Page = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = (): void => {
    while (response.write('"'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-login-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pages = {
    '/mcp': json({}, 401, { 'www-authenticate': `Bearer resource_metadata="${origin}/about"` }),
    '/about': json({ resource: `${origin}/mcp`, authorization_servers: [origin] }),
    '/.well-known/oauth-authorization-server': json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    }),
    '/register': json({ client_id: 'client', redirect_uris: ['http://localhost/callback'] }, 201),
    '/token': json({ access_token: 'token', token_type: 'Bearer' }),
  };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** A login by a browser that allows everything. `visited`: pages that it was sent to. */
async function come(signal: AbortSignal = new AbortController().signal) {
  const visited: string[] = [];
  const logins = loginsFile(folder);
  const visit = (address: string): void => {
    visited.push(address);
    const { searchParams } = new URL(address);
    void fetch(`${searchParams.get('redirect_uri')}?code=1&state=${searchParams.get('state')}`);
  };
  const done = await logIn({ url: `${origin}/mcp`, oauth: {}, logins, visit, signal });
  return { done, visited, stored: await logins.read(`${origin}/mcp`) };
}

it.each(['/mcp', '/about', '/.well-known/oauth-authorization-server', '/register', '/token'])(
  'a login is broken off while %s is waited for',
  async (path) => {
    const stop = new AbortController();
    pages[path] = () => stop.abort();
    expect((await come(stop.signal)).done).toEqual({ type: 'failed', why: 'it was broken off' });
  },
);

it.each(['/.well-known/oauth-authorization-server', '/register', '/token'])('%s without an end is left', async (path) => {
  pages[path] = flood;
  const { done, stored } = await come();
  expect(done).toEqual({ type: 'failed', why: expect.stringMatching(/^127\.0\.0\.1:\d+ sent more than 1 MiB$/) });
  expect(stored).toBeUndefined();
});

it('a page that is not answered has its limit', async () => {
  pages['/about'] = never;
  await expect(loginPages({ limitMs: 1 })(`${origin}/about`)).rejects.toThrow('did not answer within 0.001 s');
});

it('a token that no header can carry is not stored, and shown nowhere', async () => {
  for (const token of ['SECRET\r\nX-Evil: 1', 'SECRET\u2713', '\u001b[2JSECRET', '']) {
    pages['/token'] = json({ access_token: token, token_type: 'Bearer' });
    const { done, stored } = await come();
    expect(done).toEqual({ type: 'failed', why: 'the server gave a token that no header can carry' });
    expect(stored).toBeUndefined();
  }
  expect(isSendable('abc.DEF-1_~+/=')).toBe(true);
  await writeFile(
    join(folder, 'mcp-logins.json'),
    JSON.stringify({ servers: { [origin]: { client: { client_id: 'a' }, tokens: { access_token: 'SECRET\n' }, server: origin } } }),
  );
  expect(await storedLogin(origin, loginsFile(folder))).toBeUndefined();
});

it('what is refused is refused once: no second page, no word of the server on the console', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  pages['/token'] = json({ error: 'invalid_grant', error_description: `\u001b[2Jno${'o'.repeat(50_000)}` }, 400);
  const { done, visited } = await come();
  expect(done).toEqual({ type: 'failed', why: expect.stringMatching(/^127\.0\.0\.1:\d+ refused it \(invalid_grant: noo{200,280}…$/) });
  expect(visited).toHaveLength(1);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

const login = (access: string, more: Partial<StoredLogin['tokens']> = {}): StoredLogin => ({
  client: { client_id: 'client' },
  tokens: { access_token: access, token_type: 'Bearer', ...more },
  server: origin,
});

it('what is no file, or can’t be read, is not replaced', async () => {
  const file = join(folder, 'mcp-logins.json');
  await mkdir(file);
  await writeFile(join(file, 'kept'), 'kept');
  const logins = loginsFile(folder);
  expect(await logins.write(origin, login('a'))).toBe(`${file} can't be read: it is no file`);
  expect(await logins.read(origin)).toBeUndefined();
  expect(await readFile(join(file, 'kept'), 'utf8')).toBe('kept');
});

it('a link stays one, and what else stands in its file stays, too', async () => {
  const real = join(folder, 'real.json');
  await writeFile(real, JSON.stringify({ more: 'kept', servers: { 'https://other.example/': { kept: true } } }));
  await symlink(real, join(folder, 'mcp-logins.json'));
  expect(await loginsFile(folder).write(origin, login('a'))).toBeUndefined();
  expect(JSON.parse(await readFile(real, 'utf8'))).toEqual({
    more: 'kept',
    servers: { 'https://other.example/': { kept: true }, [origin]: login('a') },
  });
});

it('of two sessions whose login has run out one renews it, and the other takes that', async () => {
  const real = await loginServer();
  try {
    const visit = (address: string): void => void real.allow(address);
    await logIn({ url: real.url, oauth: {}, logins: loginsFile(folder), visit, signal: new AbortController().signal });
    const sessions = await Promise.all(Array.from({ length: 3 }, () => storedLogin(real.url, loginsFile(folder))));
    await Promise.all(sessions.map((session) => session?.token()));
    real.expire();
    const refused = { response: new Response(), serverUrl: new URL(real.url), fetchFn: fetch };
    await Promise.all(sessions.map((session) => session?.onUnauthorized?.(refused)));
    expect(real.grants).toEqual(['authorization_code: given', 'refresh_token: given']);
    expect(new Set(await Promise.all(sessions.map((session) => session?.token()))).size).toBe(1);
  } finally {
    await real.close();
  }
});

it('a renewal that can’t be stored still counts for this session', async () => {
  pages['/token'] = json({ access_token: 'new', token_type: 'Bearer' });
  const logins = loginsFile(folder);
  await logins.write(origin, login('old', { refresh_token: 'refresh' }));
  const session = await storedLogin(origin, { ...logins, write: async () => 'EROFS' });
  expect(await session?.token()).toBe('old');
  await session?.onUnauthorized?.({ response: new Response(), serverUrl: new URL(origin), fetchFn: fetch });
  expect(await session?.token()).toBe('new');
});
