/** An answer as the server-sent events of a streamed message. */

/**
 * @typedef {{ type: 'text', text: string }} TextBlock
 * @typedef {{ type: 'tool_use', id: string, name: string, input: Readonly<Record<string, unknown>> }} CallBlock
 * @typedef {TextBlock | CallBlock} Block
 * @typedef {{ input_tokens: number, cache_read_input_tokens: number, cache_creation_input_tokens: number }} Usage
 */

/** @type {Usage} */
const none = { input_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

/**
 * @param {{ readonly id: string, readonly model: string, readonly content: readonly Block[], readonly usage?: Usage }} message
 * @returns {string[]}
 */
export function streamOf({ id, model, content, usage = none }) {
  const stop_reason = content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  const start = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  return [
    event('message_start', { message: start }),
    ...content.flatMap((block, index) => [
      event('content_block_start', { index, content_block: block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} } }),
      event('content_block_delta', { index, delta: deltaOf(block) }),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } }),
    event('message_stop', {}),
  ];
}

/** @param {Block} block */
const deltaOf = (block) =>
  block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };

/** @param {string} type @param {object} data */
const event = (type, data) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
