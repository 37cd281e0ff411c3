/** Adding up what providers report, and what it costs. */
import { inputTokens, type ModelProfile, type Usage } from '@sidenote/engine';

/** Tokens of nothing: where a sum begins. */
export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

/** The sum of two reports. A count that a provider does not report is zero. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cache_read_input_tokens: (a.cache_read_input_tokens ?? 0) + (b.cache_read_input_tokens ?? 0),
  cache_creation_input_tokens: (a.cache_creation_input_tokens ?? 0) + (b.cache_creation_input_tokens ?? 0),
});

/**
 * US dollars of one response; null when the model's price is not known. `ttl`: life of the entries that were written.
 * Of one response, not of a sum: a long prompt has a price of its own.
 */
export function costOf(usage: Usage, { price }: ModelProfile, ttl: '5m' | '1h'): number | null {
  if (price === null) return null;
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const write = ttl === '1h' ? price.write1h : price.write5m;
  const dollars = usage.input_tokens * price.input + usage.output_tokens * price.output + read * price.read + written * write;
  const isLong = price.longPrompt !== undefined && inputTokens(usage) > price.longPrompt.over;
  return (dollars * (isLong ? (price.longPrompt?.factor ?? 1) : 1)) / 1_000_000;
}
