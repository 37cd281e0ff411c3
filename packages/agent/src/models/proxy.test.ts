import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { profileOf } from '@sidenote/engine';
import { afterEach, expect, it } from 'vitest';
import { anthropicAdapter } from './anthropic.js';
import { body, collect, plan } from './behaviour.testing.js';
import { pickAdapter } from './pick.js';
import { proxyOf } from './proxy.js';
import { openProvider } from './server.testing.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A proxy that notes what it is asked, sends requests on, and joins tunnels to `target`. */
async function openProxy(target?: number) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: http.IncomingMessage) =>
    asked.push(`${method} ${url} ${headers['proxy-authorization'] ?? 'nobody'}`);
  const server = http.createServer((request, response) => {
    note(request);
    const { method, headers } = request;
    const onward = http.request(request.url ?? '', { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket: Socket) => {
    note(request);
    if (target === undefined) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const far = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(far).pipe(socket);
    });
    for (const one of [socket, far]) sockets.add(one.on('error', () => {}));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { asked, host: `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}` };
}

const answer = [
  {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

async function endOf(baseURL: string, proxy: string) {
  const adapter = anthropicAdapter({ profile: profileOf('claude-opus-5-5'), baseURL, apiKey: 'k', proxy: new URL(proxy) });
  return (await collect(adapter.stream(plan, body, AbortSignal.timeout(5000)))).at(-1);
}

it('sends a request for http through the proxy, with its credentials', async () => {
  const provider = await openProvider([{ chunks: answer }]);
  closing.push(() => provider.close());
  const { asked, host } = await openProxy();
  expect(await endOf(provider.url, `http://ann:p%40ss@${host}`)).toMatchObject({ message: { content: [{ type: 'text', text: 'Grüße' }] } });
  // A percent sign that was not escaped is a letter.
  await endOf(provider.url, `http://ann:100%@${host}`);
  expect(asked).toEqual(['ann:p@ss', 'ann:100%'].map((pair) => `POST ${provider.url}/v1/messages Basic ${btoa(pair)}`));
  expect(provider.requests[0]).toMatchObject({ headers: { authorization: 'Bearer k' }, body: { messages: body.messages } });
});

it('asks for a tunnel to a server for https, and speaks TLS with it', async () => {
  const provider = await openProvider([{ chunks: [] }]);
  closing.push(() => provider.close());
  const { asked, host } = await openProxy(Number(new URL(provider.url).port));
  // Behind the tunnel stands a server for http, which no request for https reaches.
  expect(await endOf('https://api.example.com', `http://${host}`)).toMatchObject({
    failure: { type: 'fatal', message: expect.stringContaining('wrong version number') },
  });
  expect(asked).toEqual(['CONNECT api.example.com:443 nobody']);
  expect(provider.requests).toEqual([]);
});

it('asks for a tunnel to a number, and says no name there', async () => {
  const warned: string[] = [];
  const warn = ({ message }: Error) => void warned.push(message);
  process.on('warning', warn);
  closing.push(() => process.off('warning', warn));
  const provider = await openProvider([{ chunks: [] }]);
  closing.push(() => provider.close());
  const { asked, host } = await openProxy(Number(new URL(provider.url).port));
  await endOf('https://192.0.2.1', `http://${host}`);
  await endOf('https://[2001:db8::1]:8443', `http://${host}`);
  expect(asked).toEqual(['CONNECT 192.0.2.1:443 nobody', 'CONNECT [2001:db8::1]:8443 nobody']);
  expect(warned).toEqual([]);
});

it('says what the proxy answers', async () => {
  const { host } = await openProxy();
  expect(await endOf('https://api.example.com', `http://${host}`)).toMatchObject({
    failure: { type: 'fatal', message: expect.stringContaining(`the proxy ${host} answers 407 Proxy Authentication Required`) },
  });
});

it.each([
  ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', https_proxy: 'q:2' }, 'http://q:2/'],
  ['https://a.example', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://a.example', { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://q:2' }, 'http://p:1/'],
  ['https://a.example', { ALL_PROXY: 'https://p' }, 'https://p/'],
  ['https://a.example', { HTTPS_PROXY: ' ' }, null],
  ['http://127.0.0.1:9', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://localhost:9', { ALL_PROXY: 'http://p:1' }, null],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, example' }, null],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', no_proxy: '.a.example' }, null],
  ['https://aa.example', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example' }, 'http://p:1/'],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:8443' }, 'http://p:1/'],
  ['https://a.example:8443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.example:8443' }, null],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
])('%s with %o goes by %s', (address, env, proxy) => {
  const choice = proxyOf(address, env);
  expect(choice.type === 'proxy' ? choice.proxy.href : null).toBe(proxy);
});

it('refuses a proxy of another kind, and does not quote it', () => {
  const picked = pickAdapter('claude-opus-5-5', { ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'socks5://ann:secret@p:1' });
  expect(picked).toEqual({
    type: 'unusable',
    message: 'HTTPS_PROXY holds no address of a proxy that begins with http:// or https://: other kinds are not known here.',
  });
});
