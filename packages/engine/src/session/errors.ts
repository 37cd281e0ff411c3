/** Calls that a session can't follow, each with what to do instead. */
import type { Problem } from '../request/problem.js';

/** A thread was asked out of turn. */
export class ThreadStateError extends Error {
  override readonly name = 'ThreadStateError';
  constructor(
    readonly call: string,
    readonly state: string,
    readonly hint: string,
  ) {
    super(`${call}() cannot be called while the thread is ${state}: ${hint}`);
  }
  static isInstance(error: unknown): error is ThreadStateError {
    return error instanceof Error && error.name === 'ThreadStateError';
  }
}

/** A port that every session needs was not given. */
export class MissingPortError extends Error {
  override readonly name = 'MissingPortError';
  constructor(readonly port: string) {
    super(`ports.${port} is missing: give one, or take all from localPorts() of @sidenote/node`);
  }
  static isInstance(error: unknown): error is MissingPortError {
    return error instanceof Error && error.name === 'MissingPortError';
  }
}

/** A request that a provider would refuse was stopped before it left. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  constructor(readonly problems: readonly Problem[]) {
    super(`the request was not sent, since it would be refused: ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`);
  }
  static isInstance(error: unknown): error is InvalidRequestError {
    return error instanceof Error && error.name === 'InvalidRequestError';
  }
}

/** A prompt without a word or an image. */
export class EmptyPromptError extends Error {
  override readonly name = 'EmptyPromptError';
  constructor() {
    super('the prompt is empty: nothing was sent');
  }
  static isInstance(error: unknown): error is EmptyPromptError {
    return error instanceof Error && error.name === 'EmptyPromptError';
  }
}

/** A record that is not where it has to be: on the chain, or in the window. */
export class UnknownRecordError extends Error {
  override readonly name = 'UnknownRecordError';
  constructor(
    readonly record: string,
    readonly place: 'chain' | 'window',
  ) {
    super(`no record ${record} on the ${place} of this thread`);
  }
  static isInstance(error: unknown): error is UnknownRecordError {
    return error instanceof Error && error.name === 'UnknownRecordError';
  }
}

/** Text was pushed for a kind that the session was not opened with. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
  constructor(readonly kind: string) {
    super(`no kind ${kind} in this session: hand it over in \`kinds\` when the session is opened`);
  }
  static isInstance(error: unknown): error is UnknownKindError {
    return error instanceof Error && error.name === 'UnknownKindError';
  }
}

/** A thread that this session has not spawned, or whose file is gone. */
export class UnknownThreadError extends Error {
  override readonly name = 'UnknownThreadError';
  constructor(readonly thread: string) {
    super(`there is no thread ${thread} in this session`);
  }
  static isInstance(error: unknown): error is UnknownThreadError {
    return error instanceof Error && error.name === 'UnknownThreadError';
  }
}
