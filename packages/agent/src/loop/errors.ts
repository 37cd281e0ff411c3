/** What an agent can't do now. */

/** A turn is running already. */
export class AgentBusyError extends Error {
  override readonly name = 'AgentBusyError';
  constructor() {
    super('a turn is running: steer() it, interrupt() it, or wait for its end');
  }
  static isInstance(error: unknown): error is AgentBusyError {
    return error instanceof Error && error.name === 'AgentBusyError';
  }
}
