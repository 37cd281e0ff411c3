/** What a refused write means to the one who wanted to store something. */
import { StoreFullError, StoreReadOnlyError } from '@sidenote/engine';
import { codeOf } from '../files/failure.js';

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** An error of the file system as `StoreFullError` or, with its code as the reason, `StoreReadOnlyError`. */
export function storeError(error: unknown, path: string): Error {
  if (StoreFullError.isInstance(error) || StoreReadOnlyError.isInstance(error)) return error;
  const code = codeOf(error);
  return full.has(code) ? new StoreFullError(path) : new StoreReadOnlyError(path, code);
}
