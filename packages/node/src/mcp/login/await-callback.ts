/** A port of this machine to which the browser comes back from a login: it answers nobody but the one that brings the secret of this attempt. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CallbackAnswer =
  | { readonly type: 'code'; readonly code: string; /** Who gave it, where the answer says so. */ readonly iss: string | undefined }
  | { readonly type: 'failed'; readonly why: string };

export type Callback = {
  readonly redirectUrl: string;
  /** Never rejects. */
  readonly answer: Promise<CallbackAnswer>;
  close(): void;
};

/** Milliseconds that a person has. */
const PATIENCE = 5 * 60_000;
const PATH = '/callback';

/** `port` 0: any that is free. Rejects when it can't be had. */
export async function awaitCallback({
  port,
  state,
  signal,
}: {
  readonly port: number;
  readonly state: string;
  readonly signal: AbortSignal;
}): Promise<Callback> {
  let settle: (answer: CallbackAnswer) => void = () => undefined;
  const answer = new Promise<CallbackAnswer>((resolve) => (settle = resolve));
  const server = createServer((request, response) => {
    const [path, ...words] = (request.url ?? '').split('?');
    const found = path === PATH ? answerIn(new URLSearchParams(words.join('?')), state) : undefined;
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    if (found === undefined) return void response.end('Not here.\n');
    response.end(found.type === 'code' ? 'Logged in. You can close this page.\n' : 'The login failed; the terminal says why.\n');
    settle(found);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const abort = (): void => settle({ type: 'failed', why: 'it was broken off' });
  const timer = setTimeout(() => settle({ type: 'failed', why: `nobody came back within ${PATIENCE / 60_000} minutes` }), PATIENCE);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    redirectUrl: `http://localhost:${(server.address() as AddressInfo).port}${PATH}`,
    answer,
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Undefined: someone else, without the secret of this attempt. */
function answerIn(words: URLSearchParams, state: string): CallbackAnswer | undefined {
  if (words.get('state') !== state) return undefined;
  const [code, error] = [words.get('code'), words.get('error')];
  if (code !== null) return { type: 'code', code, iss: words.get('iss') ?? undefined };
  const why = [error, words.get('error_description')].filter((word) => word !== null && word !== '').join(': ');
  return {
    type: 'failed',
    why: `the server refused it${why === '' ? '' : ` (${why.slice(0, 300).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')})`}`,
  };
}
