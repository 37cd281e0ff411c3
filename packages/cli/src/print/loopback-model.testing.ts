/** A Messages API on 127.0.0.1 for tests: answers in order, and keeps every request body. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };
/** Blocks of one answer, with the tokens that it reports as input; an error status; or `hang`: the answer begins and never ends. */
export type Reply = readonly Block[] | { readonly blocks: readonly Block[]; readonly inputTokens: number } | number | 'hang';

export type LoopbackModel = {
  readonly url: string;
  /** Bodies in the order they came. */
  readonly bodies: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
};

let calls = 0;
/** A call with an id of its own. */
export const use = (name: string, input: unknown = {}): Block => ({ type: 'tool_use', id: `toolu_${++calls}`, name, input });
export const say = (text: string): Block => ({ type: 'text', text });

/** `answerTo`: what is answered where the list has nothing. */
export async function loopbackModel(
  replies: readonly Reply[],
  answerTo: (body: Readonly<Record<string, unknown>>) => Reply = () => [{ type: 'text', text: 'done' }],
): Promise<LoopbackModel> {
  const bodies: Record<string, unknown>[] = [];
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      bodies.push(body);
      answer(response, replies[bodies.length - 1] ?? answerTo(body), bodies.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, reply: Reply, number: number): void {
  if (typeof reply === 'number') {
    response.writeHead(reply, { 'content-type': 'application/json', 'retry-after-ms': '1' });
    response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: `status ${reply}` } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event: Readonly<Record<string, unknown>>): void =>
    void response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
  const { blocks, inputTokens } = reply === 'hang' || !('blocks' in reply) ? { blocks: reply, inputTokens: 10 } : reply;
  const usage = { input_tokens: inputTokens, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 100 };
  const base = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [], stop_reason: null, usage };
  send({ type: 'message_start', message: base });
  if (blocks === 'hang') return;
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === 'text';
    send({ type: 'content_block_start', index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } });
    const delta = isText
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
  }
  const stop = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  send({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 7 } });
  send({ type: 'message_stop' });
  response.end();
}
