/** How many tokens a record is likely to be in a request, before a provider has counted it. Each record is looked at once. */
import type { Ports } from '../attachments/ports.js';
import type { Content, Media } from '../content/content.js';
import { documentText } from '../content/media.js';
import { IMAGE_SIGHT, mediaTokens } from '../content/media-tokens.js';
import type { ChainRecord } from '../transcript/records.js';

/** Tokens of text, which models cut differently, and of media, which have a rule: by how large a model sees images. */
export type Sizes = { readonly text: number; readonly media: { readonly standard: number; readonly high: number } };

export type Estimate = (record: ChainRecord) => Sizes;

/** Tokens around a block that are no one's text, measured on public transcripts. */
const AROUND = { call: 45, result: 10, words: 4, reminder: 10 } as const;

const NONE: Sizes = { text: 0, media: { standard: 0, high: 0 } };

export const addSizes = (a: Sizes, b: Sizes): Sizes => ({
  text: a.text + b.text,
  media: { standard: a.media.standard + b.media.standard, high: a.media.high + b.media.high },
});

const estimates = new WeakMap<Ports['tokens'], Estimate>();

/** The estimate that belongs to a counter. It remembers by the record itself, so that no history is ever counted again. */
export function estimateWith(tokens: Ports['tokens']): Estimate {
  const known = estimates.get(tokens);
  if (known !== undefined) return known;
  const counted = new WeakMap<ChainRecord, Sizes>();
  const estimate: Estimate = (record) => {
    const before = counted.get(record);
    if (before !== undefined) return before;
    const sizes = estimateRecord(record, tokens);
    counted.set(record, sizes);
    return sizes;
  };
  estimates.set(tokens, estimate);
  return estimate;
}

function estimateRecord(record: ChainRecord, tokens: Ports['tokens']): Sizes {
  switch (record.type) {
    case 'user':
      return contentSizes(record.content, AROUND.words, tokens);
    case 'tool_result':
      return contentSizes(record.content, AROUND.result, tokens);
    case 'attachment':
      return record.content.length === 0 ? NONE : contentSizes(record.content, AROUND.reminder, tokens);
    case 'assistant':
      return { ...NONE, text: record.message.content.reduce((sum, block) => sum + returnedTokens(block, tokens), 0) };
    case 'prefix':
      return { ...NONE, text: tokens([...record.system.map(({ text }) => textOf(text)), textOf(JSON.stringify(record.tools))]) };
    case 'compact_boundary':
      return NONE;
  }
}

function contentSizes(content: readonly Content[], around: number, tokens: Ports['tokens']): Sizes {
  const words = content.map(asWords);
  const media = words.filter((block): block is Media => block.type !== 'text');
  const text = tokens(words.filter(({ type }) => type === 'text')) + around;
  const seen = (sight: keyof typeof IMAGE_SIGHT) => media.reduce((sum, block) => sum + mediaTokens(block, IMAGE_SIGHT[sight]), 0);
  return media.length === 0 ? { ...NONE, text } : { text, media: { standard: seen('standard'), high: seen('high') } };
}

/** A document that is plain text counts as text. */
function asWords(block: Content): Content {
  const text = block.type === 'text' ? null : documentText(block);
  return text === null ? block : textOf(text);
}

/** Of one block of an answer. Thinking that is not shown, only signed, has no text to count. */
function returnedTokens(block: object, tokens: Ports['tokens']): number {
  if ('text' in block && typeof block.text === 'string') return tokens([textOf(block.text)]);
  if ('thinking' in block && typeof block.thinking === 'string') return tokens([textOf(block.thinking)]);
  return 'input' in block ? tokens([textOf(JSON.stringify(block.input) ?? '')]) + AROUND.call : 0;
}

const textOf = (text: string): Content => ({ type: 'text', text });
