/** Wrong use of the command line: one line that says what to write instead, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  static isInstance(error: unknown): error is UsageError {
    return error instanceof Error && error.name === 'UsageError';
  }
}
