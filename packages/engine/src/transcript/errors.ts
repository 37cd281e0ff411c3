/** One class per failure of a store, each with the data to act on. */

/** Another process writes this session. */
export class SessionBusyError extends Error {
  override readonly name = 'SessionBusyError';
  constructor(
    readonly session: string,
    readonly owner: { readonly pid: number; readonly host: string; readonly startedAt: string },
  ) {
    super(
      `session ${session} is being written by process ${owner.pid} on ${owner.host} (since ${owner.startedAt}): end that one, or go on in a fork`,
    );
  }
  static isInstance(error: unknown): error is SessionBusyError {
    return error instanceof Error && error.name === 'SessionBusyError';
  }
}

/** The disk has no room for what was said. Nothing was sent that could not be stored. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError';
  constructor(readonly path: string) {
    super(`no space left to store the session at ${path}: free some space, or go on without saving`);
  }
  static isInstance(error: unknown): error is StoreFullError {
    return error instanceof Error && error.name === 'StoreFullError';
  }
}

/** The store can't be written to. Nothing was sent that could not be stored. */
export class StoreReadOnlyError extends Error {
  override readonly name = 'StoreReadOnlyError';
  constructor(
    readonly path: string,
    readonly why: string,
  ) {
    super(`cannot write the session at ${path} (${why}): make it writable, or go on without saving`);
  }
  static isInstance(error: unknown): error is StoreReadOnlyError {
    return error instanceof Error && error.name === 'StoreReadOnlyError';
  }
}

/** No session of that id in the store, or nothing of it can be read. */
export class SessionNotFoundError extends Error {
  override readonly name = 'SessionNotFoundError';
  constructor(
    readonly session: string,
    /** What is wrong with the lines that are there. */
    readonly notes: readonly string[] = [],
  ) {
    const [first, ...more] = notes;
    const why = first === undefined ? '' : `: ${first}${more.length === 0 ? '' : `, and ${more.length} more`}`;
    super(`there is no conversation in session ${session}${why}`);
  }
  static isInstance(error: unknown): error is SessionNotFoundError {
    return error instanceof Error && error.name === 'SessionNotFoundError';
  }
}
