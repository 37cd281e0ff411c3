import { expect, it } from 'vitest';
import { AnswerBuilder } from './answer-builder.js';

it('counts what is below zero, or is no number, as none: it would give a budget back', () => {
  const builder = new AnswerBuilder((given) => given);
  const usage = { input_tokens: -5, output_tokens: 3, cache_read_input_tokens: -1, cache_creation_input_tokens: 'x' };
  expect(builder.add({ type: 'message_start', message: { id: 'm', model: 'x', usage } })).toMatchObject({ usage: { input_tokens: 0 } });
  builder.add({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: -7 } });
  builder.add({ type: 'message_stop' });
  expect(builder.message?.usage).toEqual({
    input_tokens: 0,
    output_tokens: 3,
    cache_read_input_tokens: null,
    cache_creation_input_tokens: null,
  });
});
