/** What a person is told of an error: its message, and the flag that helps where the error itself can't know it. */
import type { TurnResult } from '@sidenote/agent';
import { messageOf, SessionBusyError, SessionNotFoundError, StoreFullError, StoreReadOnlyError } from '@sidenote/engine';

export function failureText(error: unknown): string {
  const message = messageOf(error);
  if (SessionNotFoundError.isInstance(error)) return `${message}; -c goes on with the newest that can be read, sidenote sessions lists all`;
  if (SessionBusyError.isInstance(error)) return `${message} (--fork-session)`;
  return StoreFullError.isInstance(error) || StoreReadOnlyError.isInstance(error) ? `${message} (--no-session-persistence)` : message;
}

/** The same of a turn that has ended: its own words, unless something was thrown. */
export const endedText = ({ text, error }: Pick<TurnResult, 'text' | 'error'>): string => (error === undefined ? text : failureText(error));
