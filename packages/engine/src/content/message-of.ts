/** What was thrown, in words: anything can be thrown, and whoever reports it wants a line. */

/** The message of an error; of anything else its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
