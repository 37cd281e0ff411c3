/** Editors that wait for a client: each writes a file named after its port, `~/.claude/ide/<port>.lock`. They are only read. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isWithin, realPathOf } from '../files/paths.js';
import { isObject } from '../settings/shape.js';

export type Editor = {
  readonly port: number;
  /** As it calls itself. */
  readonly name: string;
  readonly token: string;
  readonly folders: readonly string[];
  /** Named by the terminal that this process runs in. */
  readonly isOwn: boolean;
};

export type EditorPlace = {
  readonly cwd: string;
  readonly home: string;
  /** `CLAUDE_CODE_SSE_PORT`: the port of the editor that this process was started from. `CLAUDE_CONFIG_DIR`: in place of `~/.claude`. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Bytes of a lock file; a longer one is none. */
const LONGEST = 64 * 1024;

/** The one that fits best first: the editor that this process runs in, then the nearest folder around `cwd`, then the newest. */
export async function findEditors(place: EditorPlace): Promise<readonly Editor[]> {
  const { env, home } = place;
  const folder = join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'ide');
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => /^\d{1,5}\.lock$/.test(name));
  if (files.length === 0) return [];
  const cwd = await realPathOf(place.cwd);
  const found = await Promise.all(
    files.map((name) => readLock(join(folder, name), { port: Number.parseInt(name, 10), cwd, own: env['CLAUDE_CODE_SSE_PORT'] })),
  );
  return found
    .flatMap((one) => one ?? [])
    .toSorted((a, b) => Number(b.editor.isOwn) - Number(a.editor.isOwn) || b.depth - a.depth || b.changed - a.changed)
    .map(({ editor }) => editor);
}

type Found = { readonly editor: Editor; readonly depth: number; readonly changed: number };

/** Undefined for what is no lock of a living editor around `cwd`. */
async function readLock(
  path: string,
  how: { readonly port: number; readonly cwd: string; readonly own: string | undefined },
): Promise<Found | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > LONGEST) return undefined;
    const lock: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(lock)) return undefined;
    const { pid, workspaceFolders, ideName, transport, authToken } = lock;
    if (typeof authToken !== 'string' || (transport !== undefined && transport !== 'ws')) return undefined;
    if (how.port < 1 || how.port > 65_535 || (typeof pid === 'number' && !isAlive(pid))) return undefined;
    const folders = Array.isArray(workspaceFolders) ? workspaceFolders.filter((folder) => typeof folder === 'string') : [];
    const around = (await Promise.all(folders.map((folder) => realPathOf(resolve(folder))))).filter((folder) => isWithin(folder, how.cwd));
    const isOwn = String(how.port) === how.own;
    if (around.length === 0 && !isOwn) return undefined;
    const name = typeof ideName === 'string' && ideName !== '' ? ideName : 'editor';
    const editor = { port: how.port, name, token: authToken, folders, isOwn };
    return { editor, depth: Math.max(0, ...around.map(({ length }) => length)), changed: found.mtimeMs };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of another user is there, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
