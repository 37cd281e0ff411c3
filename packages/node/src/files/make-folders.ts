/** Making a folder with its parents, step by step. Node's own way never returns below `/proc`, and names the wrong error on a read-only disk. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './failure.js';

/**
 * Makes `folder` and what is missing above it; gives what was not there, outermost first. Rejects with the file system's
 * error. `mode` defaults to what the process gives new folders.
 */
export async function makeFolders(folder: string, options: { readonly mode?: number } = {}): Promise<readonly string[]> {
  const error = await make(folder, options);
  if (error === undefined) return [folder];
  if (await isFolder(folder)) return [];
  if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
  const above = await makeFolders(dirname(folder), options);
  const again = await make(folder, options);
  if (again === undefined) return [...above, folder];
  // Another process may have been faster.
  if (await isFolder(folder)) return above;
  throw again;
}

async function make(folder: string, options: { readonly mode?: number }): Promise<unknown> {
  return mkdir(folder, options).then(
    () => undefined,
    (error: unknown) => error,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
