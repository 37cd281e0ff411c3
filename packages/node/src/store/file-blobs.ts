/** Texts by their SHA-256, one file each: what the model saw of files, and large parts of prefixes. */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blobs } from '@sidenote/engine';
import { digestOf } from '../files/digest.js';
import { storeError } from './failure.js';
import { makeFolder } from './folders.js';

/**
 * Blobs under `<folder>/<first two digits>/<digest>`. `put` writes a text once, so that it survives a kill; it rejects
 * with `StoreFullError` or `StoreReadOnlyError`. It does not wait for the disk: a text that a power cut took is missing, and
 * `get` gives null for what is missing or damaged.
 */
export function fileBlobs(folder: string): Blobs {
  const pathOf = (digest: string) => join(folder, digest.slice(0, 2), digest);
  return {
    async put(text) {
      const bytes = Buffer.from(text, 'utf8');
      const digest = digestOf(bytes);
      const path = pathOf(digest);
      const there = await stat(path).catch(() => undefined);
      if (there?.size !== bytes.length) await write(path, bytes);
      return digest;
    },
    async get(digest) {
      if (!/^[0-9a-f]{64}$/.test(digest)) return null;
      const bytes = await readFile(pathOf(digest)).catch(() => null);
      return bytes !== null && digestOf(bytes) === digest ? bytes.toString('utf8') : null;
    },
  };
}

/** Reads what is in `below`, and keeps what is put in memory: for a session that is only looked at. */
export function unsavedBlobs(below: Blobs): Blobs {
  const held = new Map<string, string>();
  return {
    async put(text) {
      const digest = digestOf(text);
      held.set(digest, text);
      return digest;
    },
    get: async (digest) => held.get(digest) ?? below.get(digest),
  };
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await makeFolder(dirname(path));
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
      } finally {
        await handle.close();
      }
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  } catch (error) {
    throw storeError(error, path);
  }
}
