/** A login of an earlier day, for a session: sent with each request, renewed when it is not taken any more, and never begun anew. */
import type { AuthProvider } from '@modelcontextprotocol/client';
import { loginPages } from './login-pages.js';
import { isSendable, type Logins, type StoredLogin } from './logins-file.js';

/**
 * Undefined where nobody logged in. What is renewed is stored at once: the tokens before may be worth nothing from then on.
 * A login that can't be renewed is the client's own error for whoever is turned away.
 */
export async function storedLogin(url: string, logins: Logins): Promise<AuthProvider | undefined> {
  let login = await logins.read(url);
  if (login === undefined) return undefined;
  /** The one that was sent last. */
  let sent = '';
  /** What the file holds still, where it could not be stored that this was renewed. */
  let outdated: string | undefined;
  let renewing: Promise<void> | undefined;
  const current = async (): Promise<StoredLogin> => {
    const stored = await logins.read(url);
    if (stored !== undefined && stored.tokens.access_token !== outdated) login = stored;
    if (login === undefined) throw new Error('there is no login');
    return login;
  };
  const renew = async (refused: string): Promise<void> => {
    const before = await current();
    // Another process was quicker.
    if (before.tokens.access_token !== refused) return;
    const tokens = await renewed(before);
    login = { ...before, tokens };
    outdated = before.tokens.access_token;
    await logins.write(url, login);
  };
  return {
    token: async () => (sent = (await current()).tokens.access_token),
    // Many requests may be turned away at once: one renewal is for all of them.
    onUnauthorized() {
      const refused = sent;
      return (renewing ??= logins.alone(url, () => renew(refused)).finally(() => (renewing = undefined)));
    },
  };
}

/** Asks whoever gave it, in the way that it says now. */
async function renewed({ client, tokens, server, resource }: StoredLogin): Promise<StoredLogin['tokens']> {
  const { discoverAuthorizationServerMetadata, OAuthError, refreshAuthorization, UnauthorizedError } =
    await import('@modelcontextprotocol/client');
  const { refresh_token: refreshToken } = tokens;
  if (refreshToken === undefined) throw new UnauthorizedError('it can’t be renewed');
  try {
    const fetchFn = loginPages({});
    const metadata = await discoverAuthorizationServerMetadata(server, { fetchFn });
    const given = await refreshAuthorization(server, {
      fetchFn,
      clientInformation: client,
      refreshToken,
      ...(metadata === undefined ? {} : { metadata }),
      ...(resource === undefined ? {} : { resource }),
    });
    if (!isSendable(given.access_token)) throw new UnauthorizedError('what it was renewed with can’t be sent');
    return given;
  } catch (error) {
    // Who can't be reached has refused nothing.
    throw error instanceof OAuthError ? new UnauthorizedError(error.message) : error;
  }
}
