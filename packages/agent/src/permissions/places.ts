/** Where a path leads: as it is written, and after every link in it was followed the way the kernel does. */
import { lstat, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';

/** A path as written (made absolute) and where it really lies; `real` is null when that can't be told. */
export type Place = { readonly lexical: string; readonly real: string | null };

/** The folders that a session may work in. `readable` may be read, not written. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
  locate(file: string, base?: string): Promise<Place>;
  /** Both the written and the real path lie in a folder of that kind. */
  inside(place: Place, access: 'read' | 'write'): boolean;
}

const maxLinks = 40;

/** The real path of something that need not exist. `..` after a link is the parent of the link's target, as the kernel reads it. */
async function follow(file: string, links: number): Promise<string | null> {
  if (links > maxLinks || file.includes('\0')) return null;
  try {
    return await realpath(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') return null;
  }
  const end = file.replace(/\/+$/, '');
  const cut = end.lastIndexOf('/');
  const name = end.slice(cut + 1);
  if (cut < 0 || name === '' || name === '..') return null;
  const parent = await follow(cut === 0 ? '/' : end.slice(0, cut), links + 1);
  if (parent === null) return null;
  if (name === '.') return parent;
  const here = path.join(parent, name);
  const target = await lstat(here).then(
    (stat) => (stat.isSymbolicLink() ? readlink(here) : null),
    () => null,
  );
  // A link whose target does not exist yet: a write through it would create the target.
  return target === null ? here : follow(path.isAbsolute(target) ? target : `${parent}/${target}`, links + 1);
}

/** Whether `file` is `folder` or lies below it, by name alone. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Resolves the folders once; one that does not exist counts by its name. */
export async function openPlaces(options: {
  readonly cwd: string;
  readonly home: string;
  readonly additional: readonly string[];
  readonly readable: readonly string[];
}): Promise<Places> {
  const { cwd, home } = options;
  const locate = async (file: string, base = cwd): Promise<Place> => {
    const written = path.isAbsolute(file) ? file : `${base}/${file}`;
    return { lexical: path.resolve(written), real: await follow(written, 0) };
  };
  const roots = async (folders: readonly string[]) => Promise.all(folders.map((folder) => locate(folder)));
  const writable = await roots([cwd, ...options.additional]);
  const readable = [...writable, ...(await roots(options.readable))];
  const holds = (folders: readonly Place[], file: string) =>
    folders.some(({ lexical, real }) => isWithin(lexical, file) || (real !== null && isWithin(real, file)));
  return {
    cwd,
    home,
    locate,
    inside: (place, access) => {
      const folders = access === 'write' ? writable : readable;
      return (
        place.real !== null &&
        holds(folders, place.lexical) &&
        folders.some(({ real }) => real !== null && isWithin(real, place.real ?? ''))
      );
    },
  };
}
