/**
 * Whose session a file is. Names of projects are not unique (`a-b` and `a/b` are both `a-b`), so the working directory that
 * its lines name decides; where that is gone, the project was moved, and its sessions with it.
 */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { projectPath } from './project-folder.js';

/** Bytes at the end, and at the beginning, that are looked through. */
const LOOK = 64 * 1024;

/** False only when the newest line that names a folder names another one, which is still there. */
export async function belongsTo(file: string, cwd: string): Promise<boolean> {
  const named = await newestFolder(file).catch(() => undefined);
  return named === undefined || projectPath(named) === projectPath(cwd) || !existsSync(named);
}

async function newestFolder(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const part = async (from: number): Promise<readonly string[]> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(LOOK, size)), 0, Math.min(LOOK, size), from);
      return buffer.toString('utf8', 0, bytesRead).split('\n');
    };
    return folderIn((await part(Math.max(0, size - LOOK))).toReversed()) ?? folderIn(await part(0));
  } finally {
    await handle.close();
  }
}

/** Of the first line that is whole and names one. */
function folderIn(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    if (!line.includes('"cwd"')) continue;
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value === 'object' && value !== null && 'cwd' in value && typeof value.cwd === 'string') return value.cwd;
    } catch {
      // Torn, or cut by where the part begins.
    }
  }
  return undefined;
}
