/** A list of paths in one line for a person. */
import { head } from '../../content/text.js';

const MOST = 3;
const LONGEST = 120;

/** The first three, long ones cut, and how many more. */
export function names(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST).map((path) => (path.length > LONGEST ? `${head(path, LONGEST)}…` : path));
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
