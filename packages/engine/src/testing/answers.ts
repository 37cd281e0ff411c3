/** Answers of a model, written shortly. */
import type { Returned } from '../content/content.js';
import type { AssistantMessage, Usage } from '../transcript/records.js';

const USAGE: Usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
let answers = 0;
let calls = 0;

export const say = (text: string): Returned => ({ type: 'text', text }) as Returned;
/** Signed, as a provider would. */
export const think = (thinking: string): Returned => ({ type: 'thinking', thinking, signature: `signed:${thinking}` }) as Returned;
export const call = (name: string, input: unknown, id = `toolu_${String(++calls).padStart(4, '0')}`): Returned & { readonly id: string } =>
  ({ type: 'tool_use', id, name, input }) as Returned & { readonly id: string };

/** One answer of `model`, out of blocks. */
export function answer(blocks: readonly Returned[], model = 'claude-opus-5-5'): AssistantMessage {
  const stop = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
  return { id: `msg_${++answers}`, model, content: blocks, stop_reason: stop, usage: USAGE };
}
