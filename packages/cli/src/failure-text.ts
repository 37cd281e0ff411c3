/** What a person is told of an error: its message, and the flag that helps where the error itself can't know it. */
import { StoreFullError, StoreReadOnlyError } from '@sidenote/engine';

export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return StoreFullError.isInstance(error) || StoreReadOnlyError.isInstance(error) ? `${message} (--no-session-persistence)` : message;
}
