/** Paths as people write them. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** `~/x` in the home, anything else from `base`. `home` defaults to the account's. */
export function resolveFrom(base: string, path: string, home: string = homedir()): string {
  if (path === '~') return home;
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(base, path);
}

/** The path with links resolved as far as it exists: a file that is still to be made has a real folder already. */
export async function realPathOf(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch {
    const folder = dirname(absolute);
    return folder === absolute ? absolute : join(await realPathOf(folder), basename(absolute));
  }
}

/** The path with links resolved, asked without waiting; itself where nothing is there. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Whether `path` is `folder` or lies in it. Both real and absolute. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
