/** `fetch` through a proxy: the one that Node brings knows none. */
import http from 'node:http';
import https from 'node:https';
import { Readable, type Duplex } from 'node:stream';
import tls from 'node:tls';

/** Each request has a connection of its own. Redirects are not followed. */
export function fetchThrough(proxy: URL): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const { method, signal } = request;
    const headers = { ...Object.fromEntries(request.headers), host: url.host };
    const body = Buffer.from(await request.arrayBuffer());
    const sent =
      url.protocol === 'https:'
        ? https.request(url, { method, headers, signal, createConnection: secured(await tunnel(proxy, url, signal), url) })
        : asked(proxy, { method, headers: { ...headers, ...credentials(proxy) }, signal, path: url.href });
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.once('error', reject);
      sent.end(body);
    });
    const { statusCode: status = 502, statusMessage: statusText = '' } = answer;
    const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    return new Response(Readable.toWeb(answer), { status, statusText, headers: fields });
  };
}

/** A connection to where `url` leads, on which nothing was said yet. */
function tunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Duplex> {
  const path = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    const sent = asked(proxy, { method: 'CONNECT', path, headers: { host: path, ...credentials(proxy) }, signal });
    sent.once('connect', ({ statusCode, statusMessage }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} answers ${statusCode} ${statusMessage}`));
    });
    sent.once('error', (error) => reject(new Error(`the proxy ${proxy.host}: ${error.message}`)));
    sent.end();
  });
}

const secured =
  (socket: Duplex, { hostname }: URL) =>
  () =>
    tls.connect({ socket, servername: hostname, ALPNProtocols: ['http/1.1'] });

function asked({ protocol, hostname, port }: URL, options: https.RequestOptions): http.ClientRequest {
  const server = { ...options, hostname, agent: false as const };
  return protocol === 'https:' ? https.request({ ...server, port: port || 443 }) : http.request({ ...server, port: port || 80 });
}

function credentials({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
