/** Finds what someone meant: the known word nearest to a mistyped one. */

/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The known word nearest to `word`, or undefined when none is near: more than half of it would have to change. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  let found: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const edits = name.startsWith(typed) && typed.length > 1 ? 0.5 : distance(typed, name.toLowerCase());
    if (found === undefined || edits < found.edits) found = { name, edits };
  }
  return found !== undefined && found.edits <= Math.max(2, word.length / 2) ? found.name : undefined;
}
