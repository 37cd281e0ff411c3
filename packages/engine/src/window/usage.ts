/** What a provider's report says of the window. */
import type { AssistantRecord, Usage } from '../transcript/records.js';
import type { Estimate } from './estimate.js';

/** All tokens that went in: those read from the cache and written to it as well. */
export const inputTokens = (usage: Usage): number =>
  usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);

/** True for a report that was made while the answer was still being written: it is far below what stands in it. */
export const isEarly = (answer: AssistantRecord, estimate: Estimate): boolean =>
  answer.message.usage.output_tokens < estimate(answer).text / 2;
