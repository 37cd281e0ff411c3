/** A login at a server by browser (OAuth 2.1 with PKCE): the person allows it there, and the browser brings the answer back. */
import { randomBytes } from 'node:crypto';
import { messageOf } from '@sidenote/engine';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import type { McpOauth } from '../server-config.js';
import { errorText } from '../problem.js';
import { awaitCallback } from './await-callback.js';
import type { Logins, StoredLogin } from './logins-file.js';

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
    const refusal = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}', signal });
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refusal);
    await refusal.body?.cancel();
    const scopes = oauth.scopes ?? scope;
    const about = {
      serverUrl: url,
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scopes === undefined ? {} : { scope: scopes }),
    };
    await auth(attempt.provider, about);
    const found = await answer;
    if (found.type === 'failed') return found;
    await auth(attempt.provider, { ...about, authorizationCode: found.code, ...(found.iss === undefined ? {} : { iss: found.iss }) });
    const login = attempt.result();
    if (login === undefined) return { type: 'failed', why: 'the server gave no token' };
    const problem = await logins.write(url, login);
    return problem === undefined ? { type: 'done' } : { type: 'failed', why: `it could not be stored (${problem})` };
  } catch (error) {
    return { type: 'failed', why: signal.aborted ? 'it was broken off' : errorText(error, 300) };
  } finally {
    close();
  }
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
