/** A Messages API on the loopback interface: answers by script, streams as the real one does, keeps what it was sent. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { streamOf } from './stream.js';

/** @import { ServerResponse } from 'node:http' */
/** @import { MessagesBody } from '@sidenote/engine' */
/** @import { Block, Usage } from './stream.js' */

/**
 * @typedef {object} Received
 * @property {MessagesBody} body
 * @property {number} at When its head had come, on the clock of `performance.now()`.
 *
 * @typedef {object} Answer
 * @property {readonly Block[]} content
 * @property {Usage} [usage]
 *
 * @typedef {object} MessagesServer
 * @property {string} url
 * @property {readonly Received[]} received
 * @property {() => Promise<void>} close
 */

/**
 * Listens on a free port.
 * @param {(received: Received, index: number) => Answer | null} answer Asked once per request; null refuses it.
 * @returns {Promise<MessagesServer>}
 */
export async function startMessagesServer(answer) {
  /** @type {Received[]} */
  const received = [];
  const server = createServer(async (request, response) => {
    const at = performance.now();
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
      refuse(response, 404, 'there is no such path');
      return;
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = JSON.parse(text);
    const one = { body, at };
    received.push(one);
    const given = answer(one, received.length - 1);
    if (given === null) {
      refuse(response, 400, 'the script has no further answer');
      return;
    }
    const { content, usage } = given;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const message = { id: `msg_${received.length}`, model: body.model, content, ...(usage === undefined ? {} : { usage }) };
    for (const event of streamOf(message)) response.write(event);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @param {ServerResponse} response @param {number} status @param {string} message */
function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }));
}
