/** What folders hold, many of them: names always, and which of them are folders as cheaply as the file system lets it be known. */
import { readdirSync, statSync } from 'node:fs';

export type Listing = {
  readonly names: readonly string[];
  /** Those of them that are folders themselves; links to folders are none. */
  readonly folders: readonly string[];
};

/**
 * Looks into folders, one after the other. Many file systems count a link for each folder in a folder: one with two
 * links holds none, and what kind its entries are need not be asked. Not all count, so this is believed on a device once a
 * folder that holds some has borne it out. What can't be looked into is empty.
 */
export function listings(): (folder: string) => Listing {
  const counting = new Set<number>();
  return (folder) => {
    try {
      const { dev, nlink } = statSync(folder);
      if (nlink === 2 && counting.has(dev)) return { names: readdirSync(folder), folders: [] };
      const entries = readdirSync(folder, { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      if (folders.length > 0 && nlink === folders.length + 2) counting.add(dev);
      return { names: entries.map(({ name }) => name), folders };
    } catch {
      return { names: [], folders: [] };
    }
  };
}
