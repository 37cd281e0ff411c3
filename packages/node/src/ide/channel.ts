/** JSON-RPC 2.0 over one WebSocket to an editor on this machine. */
import type { WebSocket } from 'ws';
import { isObject } from '../settings/shape.js';

export type ChannelOptions = {
  readonly port: number;
  readonly token: string;
  /** Milliseconds for the connection to be made. */
  readonly timeoutMs: number;
  readonly told: (method: string, params: Readonly<Record<string, unknown>>) => void;
  readonly lost: () => void;
};

export interface Channel {
  /** Undefined when it is refused, lost, aborted, or not answered in `ms`. Never rejects. */
  request(method: string, params: object, how: { readonly ms?: number; readonly signal?: AbortSignal }): Promise<unknown>;
  notify(method: string, params: object): void;
  close(): void;
}

/** Bytes of one message; an editor that sends more is left. */
const LONGEST = 32 * 1024 * 1024;
const METHOD_NOT_FOUND = -32_601;

/** Undefined when nobody answers, or the token is refused. */
export async function openChannel(options: ChannelOptions): Promise<Channel | undefined> {
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`ws://127.0.0.1:${options.port}`, {
    headers: { 'x-claude-code-ide-authorization': options.token },
    handshakeTimeout: options.timeoutMs,
    maxPayload: LONGEST,
    followRedirects: false,
    perMessageDeflate: false,
  });
  const channel = channelOn(socket, options);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true));
    socket.once('close', () => resolve(false));
  });
  return isOpen ? channel : undefined;
}

function channelOn(socket: WebSocket, { told, lost }: Pick<ChannelOptions, 'told' | 'lost'>): Channel {
  const waiting = new Map<number, (result: unknown) => void>();
  let serial = 0;
  let isClosed = false;
  const send = (message: object): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  };
  const hear = (message: unknown): void => {
    if (!isObject(message)) return;
    const { id, method, params } = message;
    if (typeof method === 'string') {
      if (id === undefined || id === null) return told(method, isObject(params) ? params : {});
      if (method === 'ping') return send({ id, result: {} });
      return send({ id, error: { code: METHOD_NOT_FOUND, message: `no method ${method}` } });
    }
    if (typeof id === 'number') waiting.get(id)?.('error' in message ? undefined : message['result']);
  };
  socket.on('message', (data, isBinary) => {
    if (!isBinary) hear(parsed(String(data)));
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    for (const answer of [...waiting.values()]) answer(undefined);
    if (!isClosed) lost();
  });
  return {
    request(method, params, { ms, signal }) {
      return new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN || signal?.aborted === true) return resolve(undefined);
        const id = ++serial;
        const end = (result: unknown): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
          waiting.delete(id);
          resolve(result);
        };
        const abort = (): void => end(undefined);
        const timer = ms === undefined ? undefined : setTimeout(abort, ms);
        signal?.addEventListener('abort', abort, { once: true });
        waiting.set(id, end);
        send({ id, method, params });
      });
    },
    notify: (method, params) => send({ method, params }),
    close() {
      isClosed = true;
      socket.terminate();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
