import { expect, expectTypeOf, test } from 'vitest';
import { toChat, type ChatBody } from './chat.js';
import type { MessagesBody } from './wire.js';

const plan = { prefix: 'p-1' };
const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AAAA' } };
const base: MessagesBody = { model: 'gpt-x', system: [], tools: [], messages: [] };

test('a document of plain text is text', () => {
  const words = { type: 'document' as const, source: { type: 'text' as const, media_type: 'text/plain' as const, data: 'a report' } };
  const { messages } = toChat(plan, { ...base, messages: [{ role: 'user', content: [words] }] });
  expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'a report' }] }]);
});

test('a whole turn', () => {
  const body: MessagesBody = {
    ...base,
    system: [
      { type: 'text', text: 'You fix bugs.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'Working directory: /p' },
    ],
    tools: [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object', properties: { path: { type: 'string' } } } }],
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: '<system-reminder>\nToday\n</system-reminder>' }, image, { type: 'text', text: 'look' }],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } },
          { type: 'tool_use', id: 'c2', name: 'Read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: [image, { type: 'text', text: 'a picture' }] },
          {
            type: 'tool_result',
            tool_use_id: 'c2',
            is_error: true,
            content: [
              { type: 'text', text: 'no such file' },
              { type: 'text', text: 'note' },
            ],
          },
          { type: 'text', text: 'and be quick' },
        ],
      },
      { role: 'system', content: [{ type: 'text', text: 'Plan mode is on.' }] },
    ],
  };
  expect(toChat(plan, body)).toMatchInlineSnapshot(`
    {
      "messages": [
        {
          "content": "You fix bugs.

    Working directory: /p",
          "role": "system",
        },
        {
          "content": [
            {
              "text": "<system-reminder>
    Today
    </system-reminder>",
              "type": "text",
            },
            {
              "image_url": {
                "url": "data:image/png;base64,AAAA",
              },
              "type": "image_url",
            },
            {
              "text": "look",
              "type": "text",
            },
          ],
          "role": "user",
        },
        {
          "content": "I look.",
          "role": "assistant",
          "tool_calls": [
            {
              "function": {
                "arguments": "{"path":"a"}",
                "name": "Read",
              },
              "id": "c1",
              "type": "function",
            },
            {
              "function": {
                "arguments": "{}",
                "name": "Read",
              },
              "id": "c2",
              "type": "function",
            },
          ],
        },
        {
          "content": "a picture

    [1 image or document, in the next message]",
          "role": "tool",
          "tool_call_id": "c1",
        },
        {
          "content": "[this call failed]

    no such file

    note",
          "role": "tool",
          "tool_call_id": "c2",
        },
        {
          "content": [
            {
              "text": "From the result of c1:",
              "type": "text",
            },
            {
              "image_url": {
                "url": "data:image/png;base64,AAAA",
              },
              "type": "image_url",
            },
            {
              "text": "and be quick",
              "type": "text",
            },
          ],
          "role": "user",
        },
        {
          "content": "Plan mode is on.",
          "role": "system",
        },
      ],
      "model": "gpt-x",
      "prompt_cache_key": "p-1",
      "tools": [
        {
          "function": {
            "description": "Reads a file.",
            "name": "Read",
            "parameters": {
              "properties": {
                "path": {
                  "type": "string",
                },
              },
              "type": "object",
            },
          },
          "type": "function",
        },
      ],
    }
  `);
});

test('reasoning that a server returned goes back to it, and an answer without words stays valid', () => {
  const body: MessagesBody = JSON.parse(
    JSON.stringify({
      ...base,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'first this' },
            { type: 'tool_use', id: 'c1', name: 'Read', input: {} },
          ],
        },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 's' }] },
      ],
    }),
  );
  expect(toChat(plan, body).messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
      reasoning_content: 'first this',
    },
    { role: 'assistant', content: '' },
  ]);
});

test('the same body gives the same bytes, and a longer one begins with them', () => {
  const messages: MessagesBody['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
    { role: 'user', content: [{ type: 'text', text: 'c' }] },
  ];
  const short = toChat(plan, { ...base, messages: messages.slice(0, 1) });
  const long = toChat(plan, { ...base, messages });
  expect(long.messages.slice(0, short.messages.length)).toEqual(short.messages);
  expect(JSON.stringify(toChat(plan, { ...base, messages }))).toBe(JSON.stringify(long));
  expect(long).not.toHaveProperty('tools');
  expectTypeOf(long).toEqualTypeOf<ChatBody>();
});
