/** A stand-in for the Messages API on a loopback port: streams scripted answers and keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One block of a scripted answer. */
export type ScriptedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A request as it came. Only what tests look at is named. */
export type Received = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: readonly unknown[] }[];
};

export type LoopbackModel = {
  /** For `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** In the order they came. */
  readonly requests: readonly Received[];
  close(): Promise<void>;
};

/** Answers come in order; after the last one the model says "done". Listens on a free port of 127.0.0.1. */
export async function startLoopbackModel(answers: readonly (readonly ScriptedBlock[])[]): Promise<LoopbackModel> {
  const requests: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await received(request);
    requests.push(body);
    stream(response, body.model, requests.length, answers[requests.length - 1] ?? [{ type: 'text', text: 'done' }]);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function received(request: IncomingMessage): Promise<Received> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}

function stream(response: ServerResponse, model: string, count: number, blocks: readonly ScriptedBlock[]): void {
  const send = (type: string, data: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const calls = blocks.some(({ type }) => type === 'tool_use');
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' });
  send('message_start', {
    message: { id: `msg_${count}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage },
  });
  for (const [index, block] of blocks.entries()) {
    const { start, deltas } = opened(block);
    send('content_block_start', { index, content_block: start });
    for (const delta of deltas) send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } });
  send('message_stop', {});
  response.end();
}

/** A block as it is opened, and what follows in pieces. */
function opened(block: ScriptedBlock): { readonly start: object; readonly deltas: readonly object[] } {
  switch (block.type) {
    case 'text':
      return { start: { type: 'text', text: '' }, deltas: halves(block.text).map((text) => ({ type: 'text_delta', text })) };
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block.thinking },
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'tool_use': {
      const { id, name, input } = block;
      return {
        start: { type: 'tool_use', id, name, input: {} },
        deltas: halves(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      };
    }
  }
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
