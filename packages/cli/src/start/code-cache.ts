/** Compiled code from one run to the next, in a folder of the person's own: reading it takes a fraction of compiling. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';

/** Never throws: without it everything is compiled, as in the first run. */
export interface CodeCache {
  /** What was compiled from this source; undefined when there is nothing that can be trusted. */
  read(name: string, source: Buffer): Buffer | undefined;
  /** Whether anything would be kept. */
  isOpen(): boolean;
  write(name: string, source: Buffer, code: Buffer): void;
  /** Deletes what belongs to files that are no more. */
  prune(isCurrent: (name: string) => boolean): void;
}

export type CodeCacheOptions = {
  /** The program's own folder for what it keeps. Where there is none, none is made. */
  readonly configDir: string;
  /** User that folder and files must belong to. Default: that of the process. Where the system knows none, nothing is kept. */
  readonly uid?: number | undefined;
};

const digestLength = 32;

/**
 * Code runs with all rights of the person, so only a folder and files count that nobody else can write to. The engine
 * believes what it is given, and ends the process over a wrong byte: a digest of source and code stands before the code.
 * There is a folder for each engine, by version and flags.
 */
export function codeCache({ configDir, uid = process.getuid?.() }: CodeCacheOptions): CodeCache {
  const parent = join(configDir, 'cache');
  const folder = join(parent, `code-${cachedDataVersionTag().toString(16)}`);
  const isOwn = (stats: Stats): boolean => uid !== undefined && stats.uid === uid && (stats.mode & 0o022) === 0;
  const isOwnFolder = (path: string): boolean => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.isDirectory() && isOwn(stats);
  };
  const make = (path: string): void => {
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  };
  const isOpen = (): boolean => {
    try {
      return isOwnFolder(configDir);
    } catch {
      return false;
    }
  };
  let readable: boolean | undefined;
  return {
    read(name, source) {
      let file: number | undefined;
      try {
        if (!(readable ??= isOwnFolder(folder))) return undefined;
        file = openSync(join(folder, name), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
        const stats = fstatSync(file);
        if (!stats.isFile() || !isOwn(stats)) return undefined;
        const bytes = readFileSync(file);
        const code = bytes.subarray(digestLength);
        return digestOf(source, code).equals(bytes.subarray(0, digestLength)) ? code : undefined;
      } catch {
        return undefined;
      } finally {
        if (file !== undefined) closeSync(file);
      }
    },
    isOpen,
    write(name, source, code) {
      try {
        if (!isOpen()) return;
        make(parent);
        make(folder);
        if (!isOwnFolder(parent) || !isOwnFolder(folder)) return;
        const whole = join(folder, `${name}.${process.pid}`);
        writeFileSync(whole, Buffer.concat([digestOf(source, code), code]), { mode: 0o600 });
        renameSync(whole, join(folder, name));
      } catch {
        // A full disk, a folder that can't be written to: the next run compiles again.
      }
    },
    prune(isCurrent) {
      try {
        if (!isOwnFolder(folder)) return;
        for (const name of readdirSync(folder)) if (!isCurrent(name)) rmSync(join(folder, name), { force: true });
      } catch {
        // It lies there a little longer.
      }
    },
  };
}

function digestOf(source: Buffer, code: Buffer): Buffer {
  return createHash('sha256').update(source).update('\0').update(code).digest();
}
