/** How many tokens content is likely to be, before a provider has counted it. */
import { estimateTokenCount } from 'tokenx';
import { mediaTokens, type Content } from '@sidenote/engine';

/** The estimator's counts lie this far below those of current models, measured on code and prose. */
const factor = 1.15;
/** Characters: of a longer text the beginning stands for the whole. */
const sampleLength = 100_000;

/** An estimate of text and media together, within about a tenth for code and prose. */
export function estimateTokens(content: readonly Content[]): number {
  let tokens = 0;
  for (const part of content) tokens += part.type === 'text' ? textTokens(part.text) : mediaTokens(part);
  return Math.ceil(tokens);
}

function textTokens(text: string): number {
  const sample = text.slice(0, sampleLength);
  return sample === '' ? 0 : estimateTokenCount(sample) * factor * (text.length / sample.length);
}
