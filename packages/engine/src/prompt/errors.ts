/** What is wrong with a system prompt as it was put together. */

/** Two sections of one prompt have the same name, so neither could be told apart later. */
export class DuplicateSectionError extends Error {
  override readonly name = 'DuplicateSectionError';
  constructor(readonly section: string) {
    super(`two sections of the system prompt are named ${section}: give one of them another name`);
  }
  static isInstance(error: unknown): error is DuplicateSectionError {
    return error instanceof Error && error.name === 'DuplicateSectionError';
  }
}
