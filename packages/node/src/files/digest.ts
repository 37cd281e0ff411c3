/** The digest by which two contents are told apart. */
import { hash } from 'node:crypto';
import type { Digest } from '@sidenote/engine';

/** SHA-256 in hex. */
export function digestOf(bytes: string | Uint8Array): Digest {
  return hash('sha256', bytes, 'hex');
}
