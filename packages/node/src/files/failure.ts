/** Errors of the file system as the short codes that people know. */

/** `ENOENT`, `EACCES` …; the message of an error without a code. */
export function codeOf(error: unknown): string {
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return String(error);
}
