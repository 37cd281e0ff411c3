/** A login at a server by browser (OAuth 2.1 with PKCE): the person allows it there, and the browser brings the answer back. */
import { randomBytes } from 'node:crypto';
import { messageOf } from '@sidenote/engine';
import type { FetchLike, OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { McpOauth } from '../server-config.js';
import { isObject } from '../../settings/shape.js';
import { errorText, reasonBelow } from '../problem.js';
import { awaitCallback } from './await-callback.js';
import { loginPages } from './login-pages.js';
import { isSendable, type Logins, type StoredLogin } from './logins-file.js';

export type LogInOptions = {
  readonly url: string;
  readonly oauth: McpOauth;
  /** Of a client that was registered by hand. */
  readonly clientSecret?: string | undefined;
  readonly logins: Logins;
  /** Brings the person there. */
  readonly visit: (address: string) => void;
  readonly signal: AbortSignal;
};

export type LoggedIn = { readonly type: 'done' } | { readonly type: 'failed'; readonly why: string };

/** Never rejects. What was stored before stays until a new login has succeeded. */
export async function logIn(options: LogInOptions): Promise<LoggedIn> {
  const { url, oauth, logins, signal } = options;
  const { auth, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const state = randomBytes(16).toString('hex');
  let callback;
  try {
    callback = await awaitCallback({ port: oauth.callbackPort ?? 0, state, signal });
  } catch (error) {
    return { type: 'failed', why: `no port could be opened for the answer (${messageOf(error)})` };
  }
  const { redirectUrl, answer, close } = callback;
  const attempt = newAttempt({ ...options, redirectUrl, state });
  try {
    // The server itself says where one logs in.
    const refusal = await loginPages({ signal, bodies: 'dropped' })(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refusal);
    const scopes = oauth.scopes ?? scope;
    const about = {
      serverUrl: url,
      fetchFn: refusalsAsErrors(loginPages({ signal })),
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scopes === undefined ? {} : { scope: scopes }),
    };
    await auth(attempt.provider, about);
    const found = await answer;
    if (found.type === 'failed') return found;
    await auth(attempt.provider, { ...about, authorizationCode: found.code, ...(found.iss === undefined ? {} : { iss: found.iss }) });
    const login = attempt.result();
    if (login === undefined) return { type: 'failed', why: 'the server gave no token' };
    if (!isSendable(login.tokens.access_token)) return { type: 'failed', why: 'the server gave a token that no header can carry' };
    const problem = await logins.write(url, login);
    return problem === undefined ? { type: 'done' } : { type: 'failed', why: `it could not be stored (${problem})` };
  } catch (error) {
    return { type: 'failed', why: signal.aborted ? 'it was broken off' : `${errorText(error, 300)}${reasonBelow(error)}` };
  } finally {
    close();
  }
}

/** What a page refuses by an error of the standard, the client would begin anew, with a word of the server on the console. */
function refusalsAsErrors(pages: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await pages(url, init);
    if (response.ok || init?.method !== 'POST') return response;
    const said: unknown = await response.json().catch(() => undefined);
    const words = isObject(said) ? [said['error'], said['error_description']].filter((word) => typeof word === 'string') : [];
    throw new Error(`${new URL(url).host} refused it (${words.length === 0 ? `status ${response.status}` : words.join(': ')})`);
  };
}

/** One attempt: nothing of it is kept before it has succeeded. */
function newAttempt({
  oauth,
  clientSecret,
  visit,
  redirectUrl,
  state,
}: LogInOptions & { readonly redirectUrl: string; readonly state: string }) {
  let client: StoredLogin['client'] | undefined =
    oauth.clientId === undefined
      ? undefined
      : { client_id: oauth.clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) };
  let tokens: StoredLogin['tokens'] | undefined;
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Sidenote',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_post',
    },
    state: () => state,
    // One that was registered by hand belongs to whom the server names.
    clientInformation: (from) => client && { ...(from === undefined ? {} : { issuer: from.issuer }), ...client },
    saveClientInformation: (registered) => void (client = registered),
    tokens: () => tokens,
    saveTokens(given, from) {
      tokens = given;
      if (client !== undefined && from !== undefined) client = { issuer: from.issuer, ...client };
    },
    redirectToAuthorization: (address) => visit(address.href),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (found) => void (discovered = found),
    discoveryState: () => discovered,
  };
  return {
    provider,
    result(): StoredLogin | undefined {
      if (client === undefined || tokens === undefined || discovered === undefined) return undefined;
      const { authorizationServerUrl: server, resourceMetadata } = discovered;
      return { client, tokens, server, ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }) };
    },
  };
}
