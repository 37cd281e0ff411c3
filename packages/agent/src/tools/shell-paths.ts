/** Which files and folders a shell command evidently names: entering a folder by `cat` is entering it like any other way. */
import { resolve } from 'node:path';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { readScript } from '../permissions/shell/script.js';
import { absolute, type ToolEnvironment } from './environment.js';

/** A command that names more than this works on a tree, not on some files. */
const maxPaths = 32;

/** Absolute paths of words and redirections that exist after the run, in order. Words that only the shell can tell are none. */
export function evidentPaths(command: string, environment: ToolEnvironment): readonly string[] {
  const { commands, redirects } = readScript(command, environment.home ?? homedir());
  const words = [...commands.flatMap(({ words: [, ...operands] }) => operands), ...redirects.map(({ target }) => target)];
  const paths = new Set<string>();
  for (const { value, glob } of words) {
    if (paths.size === maxPaths) break;
    if (value === null || value === '' || glob || value.startsWith('-') || value.includes('\0')) continue;
    const path = absolute(environment, value);
    if (path !== resolve(environment.cwd) && isFileOrFolder(path)) paths.add(path);
  }
  return [...paths];
}

function isFileOrFolder(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.isFile() || found.isDirectory());
  } catch {
    return false;
  }
}
