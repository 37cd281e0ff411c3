/** Editors that wait for a client: each writes a file named after its port, `~/.claude/ide/<port>.lock`. They are only read. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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
/** Characters of a name. */
const LONGEST_NAME = 60;
/** What the header of a request may hold. */
const TOKEN = /^[\x21-\x7e]{0,4096}$/;

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
    if (typeof authToken !== 'string' || !TOKEN.test(authToken) || (transport !== undefined && transport !== 'ws')) return undefined;
    if (how.port < 1 || how.port > 65_535 || (pid !== undefined && !isAlive(pid))) return undefined;
    const folders = Array.isArray(workspaceFolders)
      ? workspaceFolders.filter((folder) => typeof folder === 'string').filter((folder) => isAbsolute(folder))
      : [];
    const around = (await Promise.all(folders.map(realPathOf))).filter((folder) => isWithin(folder, how.cwd));
    const isOwn = String(how.port) === how.own;
    if (around.length === 0 && !isOwn) return undefined;
    const name = typeof ideName === 'string' ? nameOf(ideName) : '';
    const editor = { port: how.port, name: name || 'editor', token: authToken, folders, isOwn };
    return { editor, depth: Math.max(0, ...around.map(({ length }) => length)), changed: found.mtimeMs };
  } catch {
    return undefined;
  }
}

/** One line for people, whatever it holds. */
function nameOf(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}

/** 0 and what is below stand for groups of processes. */
function isAlive(pid: unknown): boolean {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of another user is there, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
