/** `fetch` through a proxy: the one that Node brings knows none. */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
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

/** A number is no name that a server could be asked for by. */
const secured = (socket: Duplex, url: URL) => () => {
  const host = hostOf(url);
  return tls.connect({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}), ALPNProtocols: ['http/1.1'] });
};

function asked(to: URL, options: https.RequestOptions): http.ClientRequest {
  const { protocol, port } = to;
  const server = { ...options, hostname: hostOf(to), agent: false as const };
  return protocol === 'https:' ? https.request({ ...server, port: port || 443 }) : http.request({ ...server, port: port || 80 });
}

/** Without the brackets around a number of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

function credentials({ username, password }: URL): { readonly 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const pair = `${unescaped(username)}:${unescaped(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A `%` that escapes nothing is a letter of the password. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
