/** For tests: an MCP server on 127.0.0.1 that wants a login, with the pages of one: strict where the standard is (RFC 7591, 7636, 8414, 9728). */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LoginServer = {
  /** Of the MCP server. */
  readonly url: string;
  /** What was asked of the token page, in order: the kind of grant, and whether it was given. */
  readonly grants: readonly string[];
  readonly registered: readonly Readonly<Record<string, unknown>>[];
  /** Tokens that count no more. */
  expire(): void;
  /** Nothing is renewed any more. */
  revoke(): void;
  /** What a person's browser does: opens the page, allows it, and follows the way back. `how`: refuses it, or comes with a wrong secret first. */
  allow(address: string, how?: 'refuse' | 'wrong-first'): Promise<string>;
  close(): Promise<void>;
};

const S256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

export async function loginServer(): Promise<LoginServer> {
  const registered: Record<string, unknown>[] = [];
  const grants: string[] = [];
  const codes = new Map<string, { readonly client: string; readonly redirect: string; readonly challenge: string }>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  let origin = '';
  const json = (response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  const tokens = (): object => {
    const [one, two] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
    access.add(one);
    refresh.add(two);
    return { access_token: one, token_type: 'Bearer', expires_in: 3600, refresh_token: two };
  };
  const grant = (words: URLSearchParams): object | undefined => {
    const type = words.get('grant_type') ?? '';
    if (type === 'refresh_token') return refresh.delete(words.get('refresh_token') ?? '') ? tokens() : undefined;
    const code = codes.get(words.get('code') ?? '');
    codes.delete(words.get('code') ?? '');
    const isRight =
      type === 'authorization_code' &&
      code?.client === words.get('client_id') &&
      code?.redirect === words.get('redirect_uri') &&
      code?.challenge === S256(words.get('code_verifier') ?? '');
    return isRight ? tokens() : undefined;
  };
  const mcp = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    if (!access.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      const challenge = `Bearer resource_metadata="${origin}/elsewhere/about", scope="notes:read"`;
      return json(response, 401, {}, { 'www-authenticate': challenge });
    }
    if (request.method !== 'POST') return json(response, 405, {});
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string; name?: string };
    };
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      method === 'initialize'
        ? { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } }
        : method === 'tools/list'
          ? { tools: [{ name: 'read', description: 'Reads a note.', inputSchema: { type: 'object' } }] }
          : { content: [{ type: 'text', text: `NOTE of ${params?.name ?? ''}` }] };
    json(response, 200, { jsonrpc: '2.0', id, result });
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', origin);
      switch (pathname) {
        case '/mcp':
          return mcp(request, response, body);
        case '/elsewhere/about':
          return json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: ['notes:read'] });
        case '/.well-known/oauth-authorization-server':
          return json(response, 200, {
            issuer: origin,
            authorization_endpoint: `${origin}/authorize`,
            token_endpoint: `${origin}/token`,
            registration_endpoint: `${origin}/register`,
            response_types_supported: ['code'],
            grant_types_supported: ['authorization_code', 'refresh_token'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
          });
        case '/register': {
          const client = { ...(JSON.parse(body) as object), client_id: `client-${registered.length + 1}` };
          registered.push(client);
          return json(response, 201, client);
        }
        case '/authorize': {
          const [redirect, client] = [searchParams.get('redirect_uri') ?? '', searchParams.get('client_id') ?? ''];
          const known = registered.find((one) => one['client_id'] === client);
          const isKnown = known === undefined ? client === 'by-hand' : (known['redirect_uris'] as string[]).includes(redirect);
          if (!isKnown || searchParams.get('code_challenge_method') !== 'S256' || searchParams.get('scope') !== 'notes:read')
            return json(response, 400, { error: 'invalid_request' });
          const code = randomBytes(8).toString('hex');
          codes.set(code, { client, redirect, challenge: searchParams.get('code_challenge') ?? '' });
          const back = new URL(redirect);
          back.searchParams.set('code', code);
          back.searchParams.set('state', searchParams.get('state') ?? '');
          response.writeHead(302, { location: back.href });
          return void response.end();
        }
        case '/token': {
          const words = new URLSearchParams(body);
          const given = grant(words);
          grants.push(`${words.get('grant_type')}: ${given === undefined ? 'refused' : 'given'}`);
          return given === undefined ? json(response, 400, { error: 'invalid_grant' }) : json(response, 200, given);
        }
        default:
          return json(response, 404, {});
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    grants,
    registered,
    expire: () => access.clear(),
    revoke: () => refresh.clear(),
    async allow(address, how) {
      const page = await fetch(address, { redirect: 'manual' });
      const back = new URL(page.headers.get('location') ?? '');
      if (how === 'refuse') {
        back.searchParams.delete('code');
        back.searchParams.set('error', 'access_denied');
      }
      if (how === 'wrong-first') {
        const wrong = new URL(back);
        wrong.searchParams.set('state', 'guessed');
        if ((await fetch(wrong)).status !== 404) throw new Error('a stranger was answered');
      }
      return (await fetch(back)).text();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
