/** What someone meant: the known word nearest to a mistyped one. */

/**
 * A word that begins with what was typed is nearest of all. Undefined when none is near: more than two letters, and more
 * than a third of the word, would have to change.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  const limit = Math.max(2, Math.floor(typed.length / 3));
  const ranked = known
    .map((name) => ({ name, edits: begins(name.toLowerCase(), typed) ? 0 : editDistance(typed, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
}

/** One letter is the beginning of too much. */
const begins = (name: string, typed: string): boolean => typed.length > 1 && name.startsWith(typed);

/** Letters to insert, delete, replace, or swap with their neighbour. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}
