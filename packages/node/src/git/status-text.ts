/** The status listing inside its room: whole lines, then how many more there are. */
import { headOf } from '../files/lines.js';

/** Characters of the listing, the count of what is left out not included. */
export const maxStatusLength = 2000;

/** `whole`: the listing ended by itself; else its last line may be a part, and there are more than can be counted. */
export function statusText({ listing, whole }: { readonly listing: string; readonly whole: boolean }): string {
  const lines = listing.split('\n');
  const rest = lines.pop();
  if (whole && rest !== undefined && rest !== '') lines.push(rest);
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    const room = maxStatusLength - length;
    if (line.length > room) {
      if (shown.length === 0) shown.push(`${headOf(line, room - 1)}…`);
      break;
    }
    shown.push(line);
    length += line.length + 1;
  }
  const more = lines.length - shown.length;
  if (!whole) shown.push(`more than ${more} more`);
  else if (more > 0) shown.push(`+${more} more`);
  return shown.join('\n');
}
