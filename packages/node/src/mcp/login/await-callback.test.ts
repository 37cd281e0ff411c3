import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { awaitCallback } from './await-callback.js';

const { signal } = new AbortController();

/** The first line of what is answered to a request line. */
async function ask(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.on('data', (bytes: Buffer) => (said += bytes.toString()));
  socket.write(`${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  return said.split('\r\n')[0] ?? '';
}

it('answers nobody without the secret, whatever address they bring, and takes the first that has it', async () => {
  const callback = await awaitCallback({ port: 0, state: 'secret', signal });
  const { port } = new URL(callback.redirectUrl);
  for (const path of [
    '//',
    'http://[',
    '\\',
    '*',
    '/callback',
    '/callback?state=guessed&code=1',
    '/other?state=secret&code=1',
    '/callback?%',
  ])
    expect(await ask(Number(port), `GET ${path} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 40[04] /);
  const strangers = await Promise.all(Array.from({ length: 200 }, () => fetch(`${callback.redirectUrl}?state=no&code=1`)));
  expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([404]));
  for (const code of ['first', 'second']) await fetch(`${callback.redirectUrl}?code=${code}&state=secret`);
  expect(await callback.answer).toEqual({ type: 'code', code: 'first', iss: undefined });
  callback.close();
});

it('a port that is taken is an error, and what a server says comes without control characters', async () => {
  const callback = await awaitCallback({ port: 0, state: 'secret', signal });
  const port = Number(new URL(callback.redirectUrl).port);
  await expect(awaitCallback({ port, state: 'other', signal })).rejects.toThrow('EADDRINUSE');
  await fetch(`${callback.redirectUrl}?error=%1b[2Jno${'o'.repeat(5_000)}&state=secret`);
  expect(await callback.answer).toMatchObject({
    type: 'failed',
    why: expect.stringMatching(/^the server refused it \( \[2Jno{10,300}\)$/),
  });
  callback.close();
});
