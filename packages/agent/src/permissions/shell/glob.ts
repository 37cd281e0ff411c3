/** What an unquoted pattern in a command may stand for: the entries of one folder. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

const maxEntries = 2_000;

/**
 * Every entry that `pattern` could become (more than it will: the last part is not matched), relative like the pattern.
 * Null when that is not clear: a pattern for folders, too many entries, or an entry that would be read as an option.
 */
export async function entriesOf(pattern: string, base: string): Promise<readonly string[] | null> {
  const cut = pattern.lastIndexOf('/');
  const folder = pattern.slice(0, cut + 1);
  if (/[*?[]/.test(folder)) return null;
  const names = await readdir(path.resolve(base, folder)).catch(() => null);
  if (names === null) return [pattern];
  if (names.length > maxEntries) return null;
  if (folder === '' && names.some((name) => name.startsWith('-'))) return null;
  return [pattern, ...names.map((name) => folder + name)];
}
