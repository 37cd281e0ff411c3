/** Why a path can't be used, in words that help the model on. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { nearest, type FileReading } from '@sidenote/node';
import { shownPath, type ToolEnvironment } from './environment.js';

/** `12 kB`, as a person says it. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** What stands at a path when it is neither text nor media. */
export function unusable(reading: Exclude<FileReading, { readonly type: 'text' | 'image' | 'pdf' | 'missing' }>, path: string): string {
  switch (reading.type) {
    case 'directory':
      return `${path} is a folder. Glob or Bash ls shows what is in it.`;
    case 'special':
      return `${path} is a ${reading.kind === 'fifo' ? 'named pipe (fifo)' : reading.kind}, not a regular file.`;
    case 'encrypted':
      return `${path} is an encrypted PDF.`;
    case 'binary':
      return `${path} is a binary file of ${sizeText(reading.stat.size)}.`;
    case 'too-large':
      return `${path} has ${sizeText(reading.size)}, too large to be read. Search it with Grep, or take a part of it with Bash.`;
    case 'unreadable':
      return `${path} can't be read (${reading.why}).`;
  }
}

/** That nothing is there, and what may have been meant. */
export async function missing(environment: ToolEnvironment, path: string, written: string): Promise<string> {
  const said = `There is no file ${shownPath(environment, path)}.`;
  const below = join(environment.cwd, written);
  if (isAbsolute(written) && (await exists(below))) return `${said} Did you mean ${shownPath(environment, below)}?`;
  let folder = dirname(path);
  if (await exists(folder)) {
    const near = nearest(basename(path), await readdir(folder).catch(() => []));
    return near === undefined ? said : `${said} Did you mean ${shownPath(environment, join(folder, near))}?`;
  }
  while (!(await exists(folder))) folder = dirname(folder);
  return `${said} The nearest folder that exists is ${shownPath(environment, folder)}.`;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
