import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMcpHub, type McpHub } from '../hub.js';
import { approved } from '../server.testing.js';
import { logIn, type LogInOptions } from './log-in.js';
import { loginServer, type LoginServer } from './login-server.testing.js';
import { loginsFile } from './logins-file.js';

let folder: string;
let server: LoginServer;
let hub: McpHub | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'login-'));
  server = await loginServer();
});
afterEach(async () => {
  await hub?.close();
  hub = undefined;
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const { signal } = new AbortController();
const configDir = (): string => join(folder, '.sidenote');
const file = (): string => join(configDir(), 'mcp-logins.json');
async function come(how?: Parameters<LoginServer['allow']>[1], more: Partial<LogInOptions> = {}) {
  let page: Promise<string> | undefined;
  const visit = (address: string): void => void (page = server.allow(address, how));
  const done = await logIn({ url: server.url, oauth: {}, logins: loginsFile(configDir()), visit, signal, ...more });
  return { done, page: await page };
}
async function connected(headers: Readonly<Record<string, string>> = {}): Promise<McpHub> {
  await hub?.close();
  const entry = { type: 'http', url: server.url, headers };
  const options = { cwd: folder, env: {}, version: '0', logins: loginsFile(configDir()), pausesMs: [] };
  hub = createMcpHub({ servers: [approved('notes', entry)], ...options });
  await hub.settled({ ms: 10_000, signal });
  return hub;
}
const call = (to: McpHub) => to.call({ server: 'notes', tool: 'read' }, {}, { signal });

it('a login is allowed in the browser, kept for its owner alone, and used by sessions', async () => {
  const before = await connected();
  expect(before.servers[0]).toMatchObject({ state: 'failed', why: expect.stringContaining('it wants a login (`sidenote mcp login`') });
  expect(server.registered).toEqual([]);
  const { done, page } = await come();
  expect(done).toEqual({ type: 'done' });
  expect(page).toContain('Logged in.');
  expect(server.registered).toMatchObject([
    { client_name: 'Sidenote', redirect_uris: [expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/)] },
  ]);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  const now = await connected();
  expect(now.servers[0]).toMatchObject({ state: 'ready', tools: [{ tool: 'read' }] });
  expect(await call(now)).toMatchObject({ type: 'done', content: [{ text: 'NOTE of read' }] });
});

it('what has run out is renewed, also within a session and by two of them, and stored; what can’t be is said', async () => {
  await come();
  const first = await connected();
  server.expire();
  expect(await call(first)).toMatchObject({ type: 'done' });
  const second = await connected();
  expect(second.servers[0]?.state).toBe('ready');
  expect(server.grants).toEqual(['authorization_code: given', 'refresh_token: given']);
  server.expire();
  server.revoke();
  expect(await call(second)).toMatchObject({ type: 'failed', why: expect.stringContaining('the login there has run out') });
  const third = await connected();
  expect(third.servers[0]).toMatchObject({ state: 'failed', why: expect.stringContaining('its login has run out') });
  expect(server.registered).toHaveLength(1);
  expect(server.grants.slice(2)).toEqual(['refresh_token: refused', 'refresh_token: refused']);
});

it('many requests that are turned away at once lead to one renewal', async () => {
  await come();
  const now = await connected();
  server.expire();
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(now)));
  expect(new Set(answers.map(({ type }) => type))).toEqual(new Set(['done']));
  expect(server.grants).toEqual(['authorization_code: given', 'refresh_token: given']);
});

it('a refusal, a stranger at the door, an end before its time: nothing is stored, and what was stays', async () => {
  expect((await come('wrong-first')).done).toEqual({ type: 'done' });
  const kept = await readFile(file(), 'utf8');
  const refused = await come('refuse');
  expect(refused.done).toEqual({ type: 'failed', why: 'the server refused it (access_denied)' });
  expect(refused.page).toContain('The login failed');
  const stop = new AbortController();
  const { done } = await come(undefined, { visit: () => stop.abort(), signal: stop.signal });
  expect(done).toEqual({ type: 'failed', why: 'it was broken off' });
  const gone = await come(undefined, { url: 'http://127.0.0.1:1/mcp' });
  expect(gone.done).toMatchObject({ type: 'failed', why: expect.stringMatching(/^fetch failed \(.+\)$/) });
  expect(await readFile(file(), 'utf8')).toBe(kept);
});

it('a client that was registered by hand is used as it is', async () => {
  const { done } = await come(undefined, { oauth: { clientId: 'by-hand', scopes: 'notes:read' } });
  expect(done).toEqual({ type: 'done' });
  expect(server.registered).toEqual([]);
});

it('a token of the entry goes before a login, and is what is said to be wrong', async () => {
  await come();
  const { servers } = await connected({ authorization: 'Bearer wrong' });
  expect(servers[0]).toMatchObject({ state: 'failed', why: expect.stringContaining('the token of its "headers"') });
});

it('a file that can’t be read is kept beside, and logins at other servers stay', async () => {
  const logins = loginsFile(configDir());
  await come();
  const login = await logins.read(server.url);
  if (login === undefined) throw new Error('no login');
  expect(await logins.write('https://other.example/mcp', login)).toBeUndefined();
  expect(await logins.write(server.url, undefined)).toBeUndefined();
  expect(await logins.read(server.url)).toBeUndefined();
  expect(await logins.read('https://other.example/mcp')).toEqual(login);
  await writeFile(file(), '{ "servers": ');
  expect(await logins.read('https://other.example/mcp')).toBeUndefined();
  expect(await logins.write(server.url, login)).toBeUndefined();
  expect(await readFile(`${file()}.broken`, 'utf8')).toBe('{ "servers": ');
  expect(await logins.read(server.url)).toEqual(login);
});
