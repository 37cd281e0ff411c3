/** The one rule that holds for every string of a request. */
import type { Report } from './problem.js';

/** Reports the first string below `value` that is no valid Unicode. */
export function checkStrings(value: unknown, path: string, report: Report): void {
  const at = illFormed(value, path);
  if (at !== null)
    report(at, 'lone-surrogate', 'a string holds half of a surrogate pair, so the request is no valid JSON for the provider');
}

function illFormed(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = name.isWellFormed() ? illFormed(member, `${path}.${name}`) : path;
    if (found !== null) return found;
  }
  return null;
}
