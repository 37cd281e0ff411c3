import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { StreamMessageReader, type Message } from 'vscode-jsonrpc/node';
import { pacedReader } from './paced-reader.js';

const ALL = 5_000;

test('a flood is read no faster than it is handled, whole and in its order', async () => {
  let sent = 0;
  const source = Readable.from(
    (function* () {
      while (sent < ALL) {
        const body = JSON.stringify({ jsonrpc: '2.0', method: 'told', params: [sent++, 'x'.repeat(1_000)] });
        yield Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
      }
    })(),
    { objectMode: false },
  );
  const reader = pacedReader(new StreamMessageReader(source), source);
  const heard: Message[] = [];
  let most = 0;
  await new Promise<void>((resolve) => {
    reader.listen((message) => {
      heard.push(message);
      most = Math.max(most, sent - heard.length);
      if (heard.length === ALL) resolve();
    });
  });
  expect(heard.map((message) => ('params' in message && Array.isArray(message.params) ? message.params[0] : undefined))).toEqual(
    Array.from({ length: ALL }, (_, n) => n),
  );
  expect(most).toBeLessThan(200);
});
