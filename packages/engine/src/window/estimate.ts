/** How many tokens a record is likely to be in a request, before a provider has counted it. Each record is looked at once. */
import type { Ports } from '../attachments/ports.js';
import type { Content } from '../content/content.js';
import type { ChainRecord } from '../transcript/records.js';

/** `tokens`: what counts text and media. */
export type Estimate = (record: ChainRecord) => number;

/** Tokens around a block that are no one's text, measured on public transcripts. */
const AROUND = { call: 45, result: 10, words: 4, reminder: 10 } as const;

const estimates = new WeakMap<Ports['tokens'], Estimate>();

/** The estimate that belongs to a counter. It remembers by the record itself, so that no history is ever counted again. */
export function estimateWith(tokens: Ports['tokens']): Estimate {
  const known = estimates.get(tokens);
  if (known !== undefined) return known;
  const counted = new WeakMap<ChainRecord, number>();
  const estimate: Estimate = (record) => {
    const before = counted.get(record);
    if (before !== undefined) return before;
    const count = estimateRecord(record, tokens);
    counted.set(record, count);
    return count;
  };
  estimates.set(tokens, estimate);
  return estimate;
}

function estimateRecord(record: ChainRecord, tokens: Ports['tokens']): number {
  switch (record.type) {
    case 'user':
      return tokens(record.content) + AROUND.words;
    case 'tool_result':
      return tokens(record.content) + AROUND.result;
    case 'attachment':
      return record.content.length === 0 ? 0 : tokens(record.content) + AROUND.reminder;
    case 'assistant':
      return record.message.content.reduce((sum, block) => sum + returnedTokens(block, tokens), 0);
    case 'prefix':
      return tokens([...record.system.map(({ text }) => textOf(text)), textOf(JSON.stringify(record.tools))]);
    case 'compact_boundary':
      return 0;
  }
}

/** Of one block of an answer. Thinking that is not shown, only signed, has no text to count. */
export function returnedTokens(block: object, tokens: Ports['tokens']): number {
  if ('text' in block && typeof block.text === 'string') return tokens([textOf(block.text)]);
  if ('thinking' in block && typeof block.thinking === 'string') return tokens([textOf(block.thinking)]);
  return 'input' in block ? tokens([textOf(JSON.stringify(block.input) ?? '')]) + AROUND.call : 0;
}

const textOf = (text: string): Content => ({ type: 'text', text });
