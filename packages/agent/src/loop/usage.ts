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
  const write = ttl === '1h' ? price.write1h : price.write5m;
  const parts = [
    usage.input_tokens * price.input,
    usage.output_tokens * price.output,
    (usage.cache_read_input_tokens ?? 0) * price.read,
    (usage.cache_creation_input_tokens ?? 0) * write,
  ];
  return parts.reduce((sum, part) => sum + part, 0) / 1_000_000;
}
