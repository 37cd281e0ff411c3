/** How the pages of a login are asked for: each inside a limit of time and size, since a server may answer never, or without end. */
import type { FetchLike } from '@modelcontextprotocol/client';

export type LoginPagesOptions = {
  readonly signal?: AbortSignal;
  /** Milliseconds for one page. Default 30,000. */
  readonly limitMs?: number;
  /** `dropped`: the head alone counts. Default `read`. */
  readonly bodies?: 'read' | 'dropped';
};

/** Bytes of one page: what describes a server, or a token. */
const MOST = 1024 * 1024;

/** Rejects when the signal fires, at the limit, and for a page that is too long. */
export function loginPages({ signal, limitMs = 30_000, bodies = 'read' }: LoginPagesOptions): FetchLike {
  return async (url, init) => {
    const limit = AbortSignal.timeout(limitMs);
    const stop = AbortSignal.any([limit, signal, init?.signal].filter((one) => one instanceof AbortSignal));
    const { host } = new URL(url);
    try {
      const response = await fetch(url, { ...init, signal: stop });
      const bytes = bodies === 'read' ? await bodyOf(response, host) : null;
      if (bodies === 'dropped') await response.body?.cancel();
      const { status, statusText, headers } = response;
      return new Response(bytes, { status, statusText, headers });
    } catch (error) {
      throw limit.aborted ? new Error(`${host} did not answer within ${limitMs / 1_000} s`, { cause: error }) : error;
    }
  };
}

/** Null where there is none. */
async function bodyOf({ body }: Response, host: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST) throw new Error(`${host} sent more than ${MOST / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
