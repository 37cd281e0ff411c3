/** Finds a stored session by the beginning of its id, or the newest that can be gone on with. */
import { whyNoConversation, type Id, type Store } from '@sidenote/engine';
import { findSession, newestSession } from '@sidenote/node';

/** A session is not there, or not clearly named. */
export class NoSessionError extends Error {
  override readonly name = 'NoSessionError';
  static isInstance(error: unknown): error is NoSessionError {
    return error instanceof Error && error.name === 'NoSessionError';
  }
}

export type Wanted = {
  readonly store: Store;
  /** The beginning of an id. Undefined: the newest that holds a conversation. */
  readonly name: string | undefined;
  /** One line for the person, of each newer one that holds none. */
  readonly tell: (line: string) => void;
};

/** @throws {NoSessionError} */
export async function namedSession({ store, name, tell }: Wanted): Promise<Id> {
  if (name === undefined) return newestConversation(store, tell);
  const match = await findSession({ store, name });
  if (match.type === 'found') return match.session;
  if (match.type === 'missing') throw new NoSessionError(`no session ${name} in this directory: sidenote sessions lists them`);
  throw new NoSessionError(`${name} begins the ids of ${match.sessions.length} sessions: ${match.sessions.join(', ')}`);
}

async function newestConversation(store: Store, tell: Wanted['tell']): Promise<Id> {
  const newest = await newestSession(store, async (session) => {
    const why = await whyNoConversation(store, session);
    if (why !== undefined) tell(`passed over: ${why}`);
    return why === undefined;
  });
  if (newest === null) throw new NoSessionError('there is no session in this directory yet');
  return newest;
}
