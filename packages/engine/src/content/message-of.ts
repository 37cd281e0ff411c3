/** What was thrown, in words: anything can be thrown, and whoever reports it wants a line. */

/** The message of an error; of anything else its text. Never throws, whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'something was thrown that has no words';
  }
}
