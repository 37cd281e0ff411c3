import { createServer, type Server } from 'node:net';
import { profileOf } from '@sidenote/engine';
import { afterEach, expect, it } from 'vitest';
import { anthropicAdapter } from './anthropic.js';
import { body, collect, plan } from './behaviour.testing.js';
import { failureOf } from './failure.js';
import { openaiAdapter } from './openai.js';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function failureAt(baseURL: string, adapter = anthropicAdapter): Promise<unknown> {
  const events = await collect(
    adapter({ profile: profileOf('claude-opus-5-5'), baseURL, apiKey: 'k' }).stream(plan, body, AbortSignal.timeout(5000)),
  );
  return events.at(-1);
}

it.each([anthropicAdapter, openaiAdapter])('does not ask again where only http is served', async (adapter) => {
  const port = await portOf(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => {})));
  const address = `https://127.0.0.1:${port}`;
  expect(await failureAt(address, adapter)).toMatchObject({
    failure: {
      type: 'fatal',
      message: `${address} can't be reached: wrong version number. Does the address begin with https:// where only http:// is served?`,
    },
  });
});

// Node's own words.
it.each([
  'self-signed certificate in certificate chain',
  'unable to verify the first certificate',
  "Hostname/IP does not match certificate's altnames: Host: a. is not in the cert's altnames: DNS:b",
  'certificate has expired',
])('does not ask again a server whose certificate is not trusted: %s', (reason) => {
  const failure = failureOf({ status: null, kind: null, message: `S can't be reached: ${reason}`, server: 'S', keyVariable: 'K' }, 0);
  expect(failure).toMatchObject({ type: 'fatal', message: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
});

it('does not ask again at a port that no request is sent to', async () => {
  expect(await failureAt('http://127.0.0.1:1')).toMatchObject({ failure: { type: 'fatal', message: expect.stringContaining('bad port') } });
});

it('asks again where nobody listens', async () => {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await failureAt(`http://127.0.0.1:${port}`)).toMatchObject({ failure: { type: 'retry' } });
});
