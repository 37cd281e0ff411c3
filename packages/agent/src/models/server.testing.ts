/** A loopback HTTP server that plays a provider: every request gets the next scripted answer, byte by byte if need be. */
import http from 'node:http';

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written one by one, each in its own turn of the event loop. */
  readonly chunks: readonly (string | Uint8Array)[];
  /** What happens after the last chunk. Default `end`. */
  readonly finish?: 'end' | 'cut' | 'hang';
};

export type Provider = {
  readonly url: string;
  /** Bodies that arrived. */
  readonly requests: { readonly headers: http.IncomingHttpHeaders; readonly body: unknown }[];
  close(): Promise<void>;
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The last reply is given again and again. */
export async function openProvider(replies: readonly Reply[]): Promise<Provider> {
  const requests: Provider['requests'] = [];
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString('utf8')) });
    const reply = replies[Math.min(requests.length, replies.length) - 1] ?? { chunks: [] };
    response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers });
    response.flushHeaders();
    for (const chunk of reply.chunks) {
      response.write(chunk);
      await turn();
    }
    if (reply.finish === 'cut') response.destroy();
    else if (reply.finish !== 'hang') response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
