/** Watches one streamed answer: ends it when the caller aborts, and when nothing has come for too long. */

/** Milliseconds without a single byte after which a stream counts as dead. The SDKs themselves would wait for ever. */
export const defaultIdleMs = 90_000;

/** Identity: one request. `end` must be called when it is over. */
export interface Watch {
  /** Aborts when the caller does, or when it fell silent. */
  readonly signal: AbortSignal;
  /** Why it was ended from here; null while it was not. */
  readonly cause: 'aborted' | 'silent' | null;
  /** Content type of the answer once there is one. */
  readonly contentType: string | null;
  /** `fetch`, with every byte that arrives counted as a sign of life: pings too, which the SDKs swallow. */
  readonly fetch: typeof fetch;
  end(): void;
}

/** `ask`: what sends the request. Default: the global `fetch`. */
export function watchAnswer(caller: AbortSignal, idleMs: number, ask: typeof fetch = fetch): Watch {
  const controller = new AbortController();
  let cause: Watch['cause'] = null;
  let contentType: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: 'aborted' | 'silent') => {
    cause ??= why;
    controller.abort();
  };
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop('silent'), idleMs);
  };
  const aborted = () => stop('aborted');
  if (caller.aborted) aborted();
  else caller.addEventListener('abort', aborted, { once: true });
  alive();
  return {
    signal: controller.signal,
    get cause() {
      return cause;
    },
    get contentType() {
      return contentType;
    },
    fetch: async (input, init) => {
      const response = await ask(input, init);
      alive();
      contentType = response.headers.get('content-type') ?? '';
      if (response.body === null) return response;
      const counted = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, out) => {
            alive();
            out.enqueue(chunk);
          },
        }),
      );
      return new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers });
    },
    end: () => {
      clearTimeout(timer);
      caller.removeEventListener('abort', aborted);
    },
  };
}
