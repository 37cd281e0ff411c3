/** The server as the official SDK sees it. */
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, expect, test } from 'vitest';
import { startMessagesServer, type MessagesServer } from './messages-server.js';

let server: MessagesServer | undefined;
afterEach(() => server?.close());

test('a streamed answer arrives whole, and the request is kept with its time', async () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 1000, cache_creation_input_tokens: 20 };
  const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'Read', input: { file_path: 'a' } };
  server = await startMessagesServer(() => ({ content: [{ type: 'text', text: 'Reading.' }, call], usage }));
  const started = performance.now();
  const client = new Anthropic({ apiKey: 'bench', baseURL: server.url, maxRetries: 0 });
  const message = await client.messages
    .stream({ model: 'claude-opus-5-5', max_tokens: 10, messages: [{ role: 'user', content: 'Go on.' }] })
    .finalMessage();
  expect(message).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'text', text: 'Reading.' }, call], usage });
  const [received] = server.received;
  expect(received?.body.messages).toEqual([{ role: 'user', content: 'Go on.' }]);
  expect(received?.at).toBeGreaterThan(started);
});

test('what the script has no answer for is refused', async () => {
  server = await startMessagesServer(() => null);
  const client = new Anthropic({ apiKey: 'bench', baseURL: server.url, maxRetries: 0 });
  const asked = client.messages.create({ model: 'claude-opus-5-5', max_tokens: 10, messages: [{ role: 'user', content: 'Go on.' }] });
  await expect(asked).rejects.toThrow('400');
});
