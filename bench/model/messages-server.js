/** A Messages API on the loopback interface: answers by script, streams as the real one does, keeps what it was sent. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { streamOf } from './stream.js';

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
 * @param {(received: Received, index: number) => Answer} answer Asked once per request.
 * @returns {Promise<MessagesServer>}
 */
export async function startMessagesServer(answer) {
  /** @type {Received[]} */
  const received = [];
  const server = createServer(async (request, response) => {
    const at = performance.now();
    if (request.method !== 'POST' || request.url?.split('?')[0] !== '/v1/messages') {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"type":"error","error":{"type":"not_found_error","message":"no such path"}}');
      return;
    }
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const one = { body: JSON.parse(text), at };
    received.push(one);
    const { content, usage } = answer(one, received.length - 1);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of streamOf({
      id: `msg_${received.length}`,
      model: one.body.model,
      content,
      ...(usage === undefined ? {} : { usage }),
    }))
      response.write(event);
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
