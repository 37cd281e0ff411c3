/** Joins a server's process to the protocol's client. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { ServerProcess } from './server-process.js';

export type TransportOptions = {
  readonly server: ServerProcess;
  /** Reads one line. Throws for what is no message. */
  readonly parse: (line: string) => JSONRPCMessage;
};

/** Identity: one conversation with one process. A line that is no message is passed over: servers print to their output by mistake. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #options: TransportOptions;
  /** Why the process is gone. */
  ended: string | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { server, parse } = this.#options;
    await server.started;
    server.listen({
      line: (text) => {
        try {
          this.onmessage?.(parse(text));
        } catch (error) {
          this.onerror?.(error instanceof Error ? error : new Error(String(error)));
        }
      },
      end: (why) => {
        this.ended = why;
        this.onclose?.();
      },
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#options.server.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.#options.server.end();
    this.onclose?.();
  }
}
