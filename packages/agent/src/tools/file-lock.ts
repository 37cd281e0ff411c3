/** One writer per file: what is read, decided and written in one piece is not cut into by another edit of this process. */

const last = new Map<string, Promise<unknown>>();

/** Runs `work` after all earlier work on this path has ended. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(path) ?? Promise.resolve();
  const mine = before.then(work, work);
  last.set(path, mine);
  try {
    return await mine;
  } finally {
    if (last.get(path) === mine) last.delete(path);
  }
}
