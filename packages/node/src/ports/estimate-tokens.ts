/** How many tokens content is likely to be, before a provider has counted it. */
import { estimateTokenCount } from 'tokenx';
import { mediaTokens, type Content } from '@sidenote/engine';

/**
 * What the estimator's counts lack beside those of models, measured on public transcripts by leaving out one session at a time: it
 * takes a number for one token, and a symbol (an arrow, a line of a box, an icon) for a letter of the word that it touches.
 */
const factor = 1.17;
const perDigit = 0.28;
const perSymbol = 1.5;
/** Of a longer text, so many parts of so many characters stand for the whole: an estimate must not cost what reading it costs. */
const parts = 4;
const partLength = 4_000;

/** An estimate of text and media together, within about a tenth for code and prose. */
export function estimateTokens(content: readonly Content[]): number {
  let tokens = 0;
  for (const part of content) tokens += part.type === 'text' ? textTokens(part.text) : mediaTokens(part);
  return Math.ceil(tokens);
}

function textTokens(text: string): number {
  if (text === '') return 0;
  const sample = text.length <= parts * partLength ? text : sampleOf(text);
  const tokens = estimateTokenCount(sample) * factor + count(sample, DIGIT) * perDigit + count(sample, SYMBOL) * perSymbol;
  return tokens * (text.length / sample.length);
}

const DIGIT = /[0-9]/g;
/** Beyond ASCII, icons of the private use area among them. */
const SYMBOL = /(?![\0-\x7f])[\p{S}\p{Co}]/gu;

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Parts at equal distances, the beginning and the end among them. */
function sampleOf(text: string): string {
  const step = (text.length - partLength) / (parts - 1);
  return Array.from({ length: parts }, (_, index) => text.slice(Math.round(index * step), Math.round(index * step) + partLength)).join('');
}
