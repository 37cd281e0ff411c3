/** What callers give, as drafts of records. */
import type { PromptInput } from '../attachments/contract.js';
import type { Id } from '../content/content.js';
import { isBlank } from '../content/text.js';
import type { AssistantMessage } from '../transcript/records.js';
import { EmptyPromptError } from './errors.js';
import type { ToolOutcome } from './session.js';
import type { Draft } from './writer.js';

/** Someone's words. Throws `EmptyPromptError` when there is neither a word nor an image. */
export function promptOf(input: PromptInput | string): PromptInput {
  const prompt: PromptInput = typeof input === 'string' ? { content: [{ type: 'text', text: input }] } : input;
  if (prompt.content.every((block) => block.type === 'text' && isBlank(block.text))) throw new EmptyPromptError();
  return prompt;
}

export const userDraft = ({ content, origin }: PromptInput, id: Id) => ({ id, type: 'user' as const, content, origin: origin ?? 'human' });

export function resultDraft(call: Id, result: ToolOutcome | string, id: Id): Draft {
  const outcome: ToolOutcome = typeof result === 'string' ? { content: [{ type: 'text', text: result }] } : result;
  return { id, type: 'tool_result', call, content: outcome.content, isError: outcome.isError ?? false, effects: outcome.effects ?? [] };
}

/** What is ours of an answer: its blocks as returned, four numbers of its usage, and what the provider says of its cache. */
export function answerDraft({ id, model, content, stop_reason, usage, diagnostics }: AssistantMessage, asked: string, record: Id): Draft {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage;
  const counted = { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens };
  const reason = diagnostics?.cache_miss_reason?.type;
  const said = reason === undefined ? {} : { diagnostics: { cache_miss_reason: { type: reason } } };
  return { id: record, type: 'assistant', message: { id, model, content, stop_reason, usage: counted, ...said }, asked };
}
