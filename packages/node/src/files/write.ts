/** Writing a text file so that a reader sees the old or the new one, and a link stays a link. */
import { randomUUID } from 'node:crypto';
import { open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './failure.js';
import { encode, type Encoding } from './encoding.js';
import { makeFolders } from './make-folders.js';
import { statFile, type FileStat } from './stat.js';

export type FileWriting =
  | {
      readonly type: 'written';
      /** The real path, links resolved. */
      readonly path: string;
      readonly stat: FileStat;
      /** UTF-8 when the text holds what the asked encoding can't say. */
      readonly encoding: Encoding;
      readonly created: boolean;
    }
  | { readonly type: 'failed'; readonly why: string };

/**
 * Writes `text`, making folders on the way. `like` keeps the byte order mark and the encoding of what was there;
 * default UTF-8 without a mark. The mode of an existing file is kept. Never rejects.
 */
export async function writeTextFile(
  path: string,
  text: string,
  like: { readonly bom: boolean; readonly encoding: Encoding } = { bom: false, encoding: 'utf-8' },
): Promise<FileWriting> {
  if (!text.isWellFormed()) return { type: 'failed', why: 'the text holds half a character (a lone surrogate)' };
  const same = encode(text, like);
  const encoding = same === undefined ? 'utf-8' : like.encoding;
  const bytes = same ?? Buffer.from(text, 'utf8');
  try {
    const target = await targetOf(resolve(path));
    const there = await stat(target).catch(() => undefined);
    if (there !== undefined && !there.isFile()) return { type: 'failed', why: there.isDirectory() ? 'EISDIR' : 'not a regular file' };
    if (there === undefined) await makeFolders(dirname(target));
    await replace(target, bytes, there?.mode);
    const stated = await statFile(target);
    if (stated === undefined) return { type: 'failed', why: 'the file was gone right after it was written' };
    return { type: 'written', path: await realpath(target), stat: stated, encoding, created: there === undefined };
  } catch (error) {
    return { type: 'failed', why: codeOf(error) };
  }
}

async function replace(target: string, bytes: Buffer, mode: number | undefined): Promise<void> {
  const draft = join(dirname(target), `.${basename(target).slice(0, 80)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(draft, 'wx', 0o666);
    try {
      await handle.writeFile(bytes);
      if (mode !== undefined) await handle.chmod(mode & 0o7777);
    } finally {
      await handle.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The file at the end of links, also where the last one points to nothing yet. */
async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let hops = 0; hops < 40; hops += 1) {
    const real = await realpath(target).catch(() => undefined);
    if (real !== undefined) return real;
    const link = await readlink(target).catch(() => undefined);
    if (link === undefined) return target;
    target = resolve(dirname(target), link);
  }
  return target;
}
