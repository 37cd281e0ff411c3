/** What a glob may mean: folders are called `(auth)`, `[id]` and `[[...slug]]`, and people write them into globs as they stand. */

/**
 * The glob, and where they differ: with groups that offer no choice as their own letters, and with brackets so too. What
 * one of them matches, the glob matches.
 */
export function globReadings(glob: string): readonly string[] {
  const groups = glob.replace(/(?<![@!?*+\\])\(([^()|]*)\)/g, '\\($1\\)');
  return [...new Set([glob, groups, groups.replace(/(?<!\\)[[\]]/g, '\\$&')])];
}
