/** A Messages endpoint on 127.0.0.1: the model makes one call an answer, in order, then says "done". Keeps what it was sent. */
import { createServer } from 'node:http';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @typedef {{ name: string, input: unknown }} Call */
/** @typedef {{ system?: unknown, tools?: unknown, messages?: unknown, stream?: unknown, model?: unknown }} Body */

/**
 * @param {readonly Call[]} calls
 * @returns {Promise<{ url: string, requests: readonly Body[], close(): Promise<void> }>} `requests` are those that offer
 *   tools: agents also ask small models for titles and the like.
 */
export async function startModel(calls) {
  /** @type {Body[]} */
  const requests = [];
  const server = createServer((request, response) => void answer(request, response));
  /** @param {IncomingMessage} request @param {ServerResponse} response */
  const answer = async (request, response) => {
    const body = await bodyOf(request);
    if (request.method !== 'POST' || request.url?.includes('count_tokens') === true) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ input_tokens: 10 }));
      return;
    }
    const isMain = Array.isArray(body.tools) && body.tools.length > 0;
    const call = isMain ? calls[requests.push(body) - 1] : undefined;
    reply(response, body, call, requests.length);
  };
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** @param {IncomingMessage} request @returns {Promise<Body>} */
async function bodyOf(request) {
  /** @type {Uint8Array[]} */
  const parts = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

/** @param {ServerResponse} response @param {Body} body @param {Call | undefined} call @param {number} number */
function reply(response, body, call, number) {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const block = call === undefined ? { type: 'text', text: 'done' } : { type: 'tool_use', id: `toolu_${number}`, ...call };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model: body.model, content: [block], usage };
  const stop = { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
  if (body.stream !== true) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...message, ...stop }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  /** @param {string} type @param {object} data */
  const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null } });
  send('content_block_start', { index: 0, content_block: call === undefined ? { type: 'text', text: '' } : { ...block, input: {} } });
  const delta =
    call === undefined ? { type: 'text_delta', text: 'done' } : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: stop, usage: { output_tokens: 5 } });
  send('message_stop', {});
  response.end();
}
