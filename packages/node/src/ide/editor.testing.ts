/** For tests: an editor that speaks the protocol over a real socket on 127.0.0.1, and writes its lock file. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';

export type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
/** Texts of the result; undefined: no answer, ever. */
export type AnswerTool = (call: Call) => readonly string[] | undefined | Promise<readonly string[] | undefined>;

export type EditorDouble = {
  readonly port: number;
  /** Tool calls in the order they came. */
  readonly calls: readonly Call[];
  /** Notifications of the client. */
  readonly told: readonly string[];
  /** Those that were let in, and those of them that are there now. */
  readonly clients: number;
  readonly connections: number;
  send(method: string, params: object): void;
  /** Selects text; lines and characters from 0. */
  select(path: string, text: string, range?: readonly [startLine: number, endLine: number, endCharacter?: number]): void;
  /** Ends all connections, and stays. */
  drop(): void;
  close(): Promise<void>;
};

export type DoubleOptions = {
  readonly home: string;
  readonly folders: readonly string[];
  readonly tool?: AnswerTool;
  readonly lock?: Readonly<Record<string, unknown>>;
  readonly token?: string;
  /** Default: a free one. */
  readonly port?: number;
};

export async function editorDouble({ home, folders, tool, lock, token = 'secret-token', port = 0 }: DoubleOptions): Promise<EditorDouble> {
  const calls: Call[] = [];
  const told: string[] = [];
  let clients = 0;
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port,
    verifyClient: ({ req }: { req: IncomingMessage }) => req.headers['x-claude-code-ide-authorization'] === token,
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  const send = (socket: WebSocket, message: object) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  server.on('connection', (socket) => {
    clients++;
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data)) as {
        id?: number;
        method: string;
        params: { name: string; arguments: Call['input'] };
      };
      if (id === undefined) return void told.push(method);
      if (method === 'initialize')
        return send(socket, {
          id,
          result: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 'double', version: '1' } },
        });
      if (method !== 'tools/call') return send(socket, { id, error: { code: -32_601, message: 'no such method' } });
      const call = { name: params.name, input: params.arguments };
      calls.push(call);
      void Promise.resolve(tool?.(call)).then((texts) => {
        if (texts === undefined && tool !== undefined) return;
        if (texts === undefined) return send(socket, { id, error: { code: -32_602, message: 'no such tool' } });
        send(socket, { id, result: { content: texts.map((text) => ({ type: 'text', text })) } });
      });
    });
  });
  const folder = join(home, '.claude', 'ide');
  const file = join(folder, `${own}.lock`);
  await mkdir(folder, { recursive: true });
  await writeFile(
    file,
    JSON.stringify({ pid: process.pid, workspaceFolders: folders, ideName: 'Double', transport: 'ws', authToken: token, ...lock }),
  );
  const all = (method: string, params: object) => server.clients.forEach((socket) => send(socket, { method, params }));
  return {
    port: own,
    calls,
    told,
    get clients() {
      return clients;
    },
    get connections() {
      return server.clients.size;
    },
    send: all,
    select: (path, text, [first, last, character = 5] = [0, 0]) =>
      all('selection_changed', {
        text,
        filePath: path,
        fileUrl: `file://${path}`,
        selection: { start: { line: first, character: 0 }, end: { line: last, character }, isEmpty: text === '' },
      }),
    drop: () => server.clients.forEach((socket) => socket.terminate()),
    async close() {
      server.clients.forEach((socket) => socket.terminate());
      await new Promise((resolve) => server.close(resolve));
      await rm(file, { force: true });
    },
  };
}
