import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import type { Io } from '../io.js';
import { readPiped } from './standard-input.js';

it('reads a pipe of many chunks with one listener on the signal', async () => {
  const { signal } = new AbortController();
  const chunks = Array.from({ length: 50 }, (_, index) => `${index}\n`);
  let most = 0;
  const stdin = (async function* () {
    for (const chunk of chunks) {
      most = Math.max(most, getEventListeners(signal, 'abort').length);
      yield chunk;
    }
  })();
  const io: Pick<Io, 'stdin' | 'signal'> = { stdin, signal };
  expect(await readPiped(io, { patient: true })).toEqual({ type: 'text', text: chunks.join('') });
  expect(most).toBeLessThanOrEqual(1);
});
