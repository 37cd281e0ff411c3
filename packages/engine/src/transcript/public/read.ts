/** Reads a transcript that another program wrote: what is in it, what it cost, and the conversation as it stands. */
import { isObject, text, type ReadObject } from '../json.js';
import type { Usage } from '../records.js';
import { publicChain, treeOf, type PublicChain, type Tree } from './chain.js';
import { entryOf, isBoundary, messageOf, type PublicEntry } from './entry.js';

export type PublicTranscript = {
  readonly chain: PublicChain;
  readonly tree: Tree;
  /** Lines that are not empty. */
  readonly lines: number;
  /** Lines by `type`. */
  readonly records: Readonly<Record<string, number>>;
  readonly attachments: Readonly<Record<string, number>>;
  readonly boundaries: readonly PublicEntry[];
  /** Answers, and what they cost together: an answer stands on several lines, and the last one has its final usage. */
  readonly answers: number;
  readonly usage: { readonly [key in keyof Usage]: number };
  /** Lines that could not be read, with why. */
  readonly notes: readonly string[];
};

/** Never throws on a line: one that is no JSON is skipped and noted, one of an unknown type is counted and left alone. */
export async function readPublic(lines: AsyncIterable<string>): Promise<PublicTranscript> {
  const entries: PublicEntry[] = [];
  const records: Record<string, number> = {};
  const attachments: Record<string, number> = {};
  const usages = new Map<string, ReadObject>();
  const notes: string[] = [];
  let number = 0;
  let count = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    count++;
    const value = parse(line);
    if (value === undefined) {
      notes.push(`line ${number}: not readable; skipped`);
      continue;
    }
    const type = text(value['type']) ?? '(none)';
    records[type] = (records[type] ?? 0) + 1;
    const attached = value['attachment'];
    if (type === 'attachment' && isObject(attached)) {
      const kind = text(attached['type']) ?? '(none)';
      attachments[kind] = (attachments[kind] ?? 0) + 1;
    }
    const entry = entryOf(value);
    if (entry !== undefined) entries.push(entry);
    if (type === 'assistant') noteUsage(messageOf({ line: value }), usages);
  }
  const tree = treeOf(entries);
  return {
    chain: publicChain(tree),
    tree,
    lines: count,
    records,
    attachments,
    boundaries: entries.filter(isBoundary),
    answers: usages.size,
    usage: sum([...usages.values()]),
    notes,
  };
}

function parse(line: string): ReadObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function noteUsage(message: ReadObject, usages: Map<string, ReadObject>): void {
  const id = text(message['id']);
  const usage = message['usage'];
  if (id !== undefined) usages.set(id, isObject(usage) ? usage : {});
}

const KEYS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/** Counts that are missing, or no numbers, are zero. */
export function usageOf(usage: ReadObject): PublicTranscript['usage'] {
  const count = (key: string): number => (typeof usage[key] === 'number' ? usage[key] : 0);
  const [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens] = KEYS.map(count);
  return {
    input_tokens: input_tokens ?? 0,
    output_tokens: output_tokens ?? 0,
    cache_read_input_tokens: cache_read_input_tokens ?? 0,
    cache_creation_input_tokens: cache_creation_input_tokens ?? 0,
  };
}

function sum(usages: readonly ReadObject[]): PublicTranscript['usage'] {
  return usages.map(usageOf).reduce(
    (total, usage) => ({
      input_tokens: total.input_tokens + usage.input_tokens,
      output_tokens: total.output_tokens + usage.output_tokens,
      cache_read_input_tokens: total.cache_read_input_tokens + usage.cache_read_input_tokens,
      cache_creation_input_tokens: total.cache_creation_input_tokens + usage.cache_creation_input_tokens,
    }),
    usageOf({}),
  );
}
