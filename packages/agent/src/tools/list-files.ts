/** The files below a folder that belong to the project: git's own list in a repository, else a walk. */
import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';

export type FileList = {
  /** Relative to the folder, with forward slashes. */
  readonly files: readonly string[];
  /** More files were there than are listed. */
  readonly cut: boolean;
};

type Limits = { readonly signal: AbortSignal; readonly max?: number };

const versionFolders = new Set(['.git', '.hg', '.svn', '.jj']);

/**
 * Lists at most `max` (default 200,000) files below `folder`. In a git repository: tracked and untracked, ignored ones
 * left out. Elsewhere, or when the folder itself is ignored: everything but version control, `node_modules` and what
 * the folder's own `.gitignore` names.
 */
export async function listFiles(folder: string, { signal, max = 200_000 }: Limits): Promise<FileList> {
  const tracked = await gitFiles(folder, signal);
  // No file at all: a repository without files, or a folder that git ignores. The person asked for it by name.
  if (tracked === undefined || tracked.length === 0) return walk(folder, { signal, max });
  const files: string[] = [];
  for (const file of tracked) {
    // A nested repository is listed as one entry.
    if (file.endsWith('/')) {
      const inner = await listFiles(join(folder, file), { signal, max: max - files.length });
      for (const name of inner.files) files.push(file + name);
    } else {
      files.push(file);
    }
    if (files.length >= max) return { files, cut: true };
  }
  return { files, cut: false };
}

async function gitFiles(folder: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  // A repository may name a program as its file monitor: looking at files must not run it.
  const args = [
    '--no-optional-locks',
    '-c',
    'core.fsmonitor=false',
    '-C',
    folder,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ];
  const child = spawn('git', args, { stdio: ['ignore', 'pipe', 'ignore'], signal });
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  const [list, ok] = await Promise.all([textOf(child.stdout).catch(() => ''), ended]);
  return ok ? list.split('\0').filter((name) => name !== '') : undefined;
}

async function walk(folder: string, { signal, max }: Required<Limits>): Promise<FileList> {
  const [{ fdir }, { default: ignore }] = await Promise.all([import('fdir'), import('ignore')]);
  const rules = ignore().add(await readFile(join(folder, '.gitignore'), 'utf8').catch(() => ''));
  const inside = (path: string): string => path.slice(folder.length).replace(/^\/+/, '');
  const found = await new fdir()
    .withFullPaths()
    .withMaxFiles(max)
    .withAbortSignal(signal)
    .exclude((name, path) => versionFolders.has(name) || name === 'node_modules' || rules.ignores(inside(path)))
    .crawl(folder)
    .withPromise();
  return { files: found.map(inside).filter((file) => !rules.ignores(file)), cut: found.length >= max };
}

/** Modification times in milliseconds, newest first; what is no longer there, or is no file, falls away. */
export async function newestFirst(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const dated: { readonly file: string; readonly at: number }[] = [];
  for (let from = 0; from < files.length; from += 200) {
    const slice = files.slice(from, from + 200);
    const stats = await Promise.all(slice.map((file) => stat(join(folder, file)).catch(() => undefined)));
    slice.forEach((file, index) => {
      const found = stats[index];
      if (found !== undefined && !found.isDirectory()) dated.push({ file, at: found.mtimeMs });
    });
  }
  return dated.sort((a, b) => b.at - a.at || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
