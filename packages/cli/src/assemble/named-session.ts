/** Finds a stored session by the beginning of its id. */
import type { Id, Store } from '@sidenote/engine';
import { findSession, newestSession } from '@sidenote/node';

/** A session is not there, or not clearly named. */
export class NoSessionError extends Error {
  override readonly name = 'NoSessionError';
  static isInstance(error: unknown): error is NoSessionError {
    return error instanceof Error && error.name === 'NoSessionError';
  }
}

/** Without a name the newest. @throws {NoSessionError} */
export async function namedSession(store: Store, name: string | undefined): Promise<Id> {
  if (name === undefined) {
    const newest = await newestSession(store);
    if (newest === null) throw new NoSessionError('there is no session to continue in this directory');
    return newest;
  }
  const match = await findSession({ store, name });
  if (match.type === 'found') return match.session;
  if (match.type === 'missing') throw new NoSessionError(`no session ${name} in this directory: sidenote sessions lists them`);
  throw new NoSessionError(`${name} begins the ids of ${match.sessions.length} sessions: ${match.sessions.join(', ')}`);
}
