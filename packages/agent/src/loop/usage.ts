/** Adding up what providers report, and what it costs. */
import type { ModelProfile, Usage } from '@sidenote/engine';

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cache_read_input_tokens: (a.cache_read_input_tokens ?? 0) + (b.cache_read_input_tokens ?? 0),
  cache_creation_input_tokens: (a.cache_creation_input_tokens ?? 0) + (b.cache_creation_input_tokens ?? 0),
});

/** US dollars of one response; null when the model's price is not known. `ttl`: life of the entries that were written. */
export function costOf(usage: Usage, { price }: ModelProfile, ttl: '5m' | '1h'): number | null {
  if (price === null) return null;
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const write = ttl === '1h' ? price.write1h : price.write5m;
  const dollars = usage.input_tokens * price.input + usage.output_tokens * price.output + read * price.read + written * write;
  const isLong = price.longPrompt !== undefined && usage.input_tokens + read + written > price.longPrompt.over;
  return (dollars * (isLong ? (price.longPrompt?.factor ?? 1) : 1)) / 1_000_000;
}
