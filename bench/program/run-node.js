/** Runs a program with this Node, its surroundings stated in full, and waits for its end. */
import { spawn } from 'node:child_process';

/**
 * @typedef {object} Ended
 * @property {number | null} status Null: ended by a signal.
 * @property {number} startedAt On the clock of `performance.now()`.
 * @property {number} ms From the start to the end.
 * @property {string} errors What it wrote to standard error.
 */

/** A program that hangs must not hang the bench. */
const longestMs = 120_000;

/**
 * @param {readonly string[]} args
 * @param {{ readonly cwd?: string, readonly env?: Readonly<Record<string, string | undefined>> }} [where]
 * @returns {Promise<Ended>}
 */
export function runNode(args, { cwd, env } = {}) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], timeout: longestMs });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (errors += text));
    child.on('error', reject);
    let ms = 0;
    child.on('exit', () => (ms = performance.now() - startedAt));
    child.on('close', (status) => resolve({ status, startedAt, ms, errors }));
  });
}

/**
 * The same; anything but a good end is an error that says what the program said.
 * @param {readonly string[]} args
 * @param {Parameters<typeof runNode>[1]} [where]
 */
export async function runNodeWell(args, where) {
  const ended = await runNode(args, where);
  if (ended.status !== 0) throw new Error(`${args.join(' ')} ended with ${ended.status ?? 'a signal'}: ${ended.errors.trim().slice(-400)}`);
  return ended;
}
