/** Which paths of a project are meant by a few typed letters, the likeliest first. */

/** Paths that are offered. */
const MOST = 20;

/** Files, and after each folder's first file the folder itself, with a slash. */
function withFolders(files: readonly string[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const file of files) {
    for (let at = file.indexOf('/'); at !== -1; at = file.indexOf('/', at + 1)) paths.add(file.slice(0, at + 1));
    paths.add(file);
  }
  return paths;
}

/** Lower is likelier; undefined: not meant. */
function rank(path: string, typed: string): number | undefined {
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf('/', whole.length - 2) + 1);
  if (whole.startsWith(typed)) return 0;
  if (name.startsWith(typed)) return 1;
  if (name.includes(typed)) return 2;
  if (whole.includes(typed)) return 3;
  return hasInOrder(whole, typed) ? 4 : undefined;
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/**
 * At most twenty paths of `files` (relative, with forward slashes) and of their folders (with a slash at the end): those that begin with
 * what was typed, then names that begin with it or hold it, then whatever has its letters in order; shorter ones first.
 * Nothing when a path was typed to its end.
 */
export function pathMatches(files: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const found: { readonly path: string; readonly rank: number }[] = [];
  for (const path of withFolders(files)) {
    if (path === typed && !path.endsWith('/')) return [];
    const likely = path === typed ? undefined : rank(path, wanted);
    if (likely !== undefined) found.push({ path, rank: likely });
  }
  found.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return found.slice(0, MOST).map(({ path }) => path);
}
