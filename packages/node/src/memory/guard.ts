/** What may be written into the memories of a person: not too much, and no secrets, since every session sends it on. */
import { relative } from 'node:path';
import { isWithin, realPathOf } from '../files/paths.js';
import { secretsIn } from '../files/secrets.js';
import { bytesIn, indexLimits, linesIn, maxMemoryBytes } from './limits.js';
import { indexName } from './places.js';

/** `refused`: nothing may be written. `near`: it may, and the writer should know. `why` begins in the middle of a sentence. */
export type MemoryVerdict = { readonly type: 'allowed' } | { readonly type: 'near' | 'refused'; readonly why: string };

/** Part of a limit from which on it is near. */
const near = 0.9;

/**
 * Judges what a file is to hold. `before` is what it holds now: what becomes shorter is never refused for its length. Files
 * outside `folder` are allowed whatever they hold; that they may be written at all is for permissions to say.
 */
export async function judgeMemory(
  file: { readonly path: string; readonly text: string; readonly before: string | undefined },
  folder: string,
): Promise<MemoryVerdict> {
  const [path, real] = [await realPathOf(file.path), await realPathOf(folder)];
  if (!isWithin(real, path)) return { type: 'allowed' };
  const before = new Set(secretsIn(file.before ?? ''));
  const secrets = secretsIn(file.text).filter((name) => !before.has(name));
  if (secrets.length > 0)
    return {
      type: 'refused',
      why: `it seems to hold ${secrets.join(', ')}, and memories are sent in later sessions; write down where the secret is kept instead`,
    };
  const isIndex = relative(real, path) === indexName;
  const size = { bytes: bytesIn(file.text), lines: linesIn(file.text) };
  const limits = isIndex ? indexLimits : { bytes: maxMemoryBytes, lines: Number.POSITIVE_INFINITY };
  const told = `${size.lines} lines, ${Math.ceil(size.bytes / 1024)} KB`;
  const rule = isIndex
    ? `an index holds ${limits.lines} lines and ${limits.bytes / 1024} KB at most: one line per memory, details in files of their own`
    : `a memory holds ${limits.bytes / 1024} KB at most: split it by subject`;
  const over = size.bytes > limits.bytes || size.lines > limits.lines;
  const shrinks = file.before !== undefined && size.bytes < bytesIn(file.before) && size.lines <= linesIn(file.before);
  if (over && !shrinks) return { type: 'refused', why: `it would have ${told}, and ${rule}` };
  const isNear = size.bytes > limits.bytes * near || size.lines > limits.lines * near;
  return isNear ? { type: 'near', why: `it has ${told} now; ${rule}` } : { type: 'allowed' };
}
