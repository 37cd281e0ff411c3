/** Who holds a lock, as written in the lock file, and whether that process still runs. */
import { randomUUID } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { codeOf } from '../files/failure.js';
import { processStart } from './process-start.js';

export type LockOwner = {
  readonly pid: number;
  readonly host: string;
  /** When the lock was taken, ISO 8601. For people: it decides nothing. */
  readonly startedAt: string;
  /** `processStart` of the owner. */
  readonly process: string;
  /** Different for every lock ever taken. */
  readonly nonce: string;
};

/** This process, about to take a lock. */
export async function thisProcess(): Promise<LockOwner> {
  return {
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    process: (await processStart(process.pid)) ?? '',
    nonce: randomUUID(),
  };
}

/** Undefined: no such file. A file that can't be understood was left by a power cut, and has no living owner; nor has what is no file. */
export async function readOwner(path: string): Promise<LockOwner | 'broken' | undefined> {
  try {
    // Opening a pipe waits for its other end; a link to nothing is there, and can't be opened.
    if (!(await lstat(path)).isFile()) return 'broken';
    return ownerOf(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (error instanceof SyntaxError) return 'broken';
    throw error;
  }
}

/** Judged by liveness, never by age. What runs on another host can't be seen from here and counts as alive. */
export async function isAlive(owner: LockOwner): Promise<boolean> {
  if (owner.host !== hostname()) return true;
  const start = await processStart(owner.pid);
  return start !== null && (start === owner.process || start === '' || owner.process === '');
}

function ownerOf(value: unknown): LockOwner | 'broken' {
  if (typeof value !== 'object' || value === null) return 'broken';
  const { pid, host, startedAt, process, nonce } = value as Partial<Record<keyof LockOwner, unknown>>;
  const understood =
    typeof pid === 'number' &&
    Number.isInteger(pid) &&
    pid > 0 &&
    typeof host === 'string' &&
    typeof startedAt === 'string' &&
    typeof process === 'string' &&
    typeof nonce === 'string' &&
    /^[\w-]{1,64}$/.test(nonce);
  return understood ? { pid, host, startedAt, process, nonce } : 'broken';
}
