/** What lies in one folder, capped. */
import { readdir } from 'node:fs/promises';
import { codeOf } from './failure.js';

export type DirectoryListing =
  /** Names in order, folders with a slash; `more` counts what was left out. */
  | { readonly type: 'listed'; readonly entries: readonly string[]; readonly more: number }
  | { readonly type: 'unreadable'; readonly why: string };

/** Lists one level of a folder. `max` defaults to 1,000 entries. */
export async function listDirectory(path: string, options: { readonly max?: number } = {}): Promise<DirectoryListing> {
  const max = options.max ?? 1000;
  try {
    const found = await readdir(path, { withFileTypes: true });
    const names = found.map((entry) => printable(entry.name) + (entry.isDirectory() ? '/' : '')).sort();
    return { type: 'listed', entries: names.slice(0, max), more: Math.max(0, names.length - max) };
  } catch (error) {
    return { type: 'unreadable', why: codeOf(error) };
  }
}

/** A listing as text: one name a line, and what was left out. */
export function listingText(listing: { readonly entries: readonly string[]; readonly more: number }): string {
  const lines = listing.entries.length === 0 ? ['(empty folder)'] : [...listing.entries];
  if (listing.more > 0) lines.push(`… ${listing.more} more entries`);
  return lines.join('\n');
}

/** A name with a line end in it must not look like two. */
function printable(name: string): string {
  return /[\0-\x1f\x7f]/.test(name) ? JSON.stringify(name) : name;
}
