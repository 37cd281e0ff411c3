/** Puts a streamed Messages answer together, block by block, and keeps every field as it came but for ids of calls that are there already. */
import type { AssistantMessage, ModelEvent, Returned, Usage } from '@sidenote/engine';
import { countOf, fieldsOf, isFields, numberOf, textOf } from './fields.js';
import { readToolInput } from './tool-input.js';

/** A block in the making. `json`: what has come of its input. */
type Open = { readonly block: Record<string, unknown> & { type: string }; json: string; done: boolean };

const counts = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

function usageOf(fields: Readonly<Record<string, unknown>>): Usage {
  return {
    input_tokens: countOf(fields['input_tokens']) ?? 0,
    output_tokens: countOf(fields['output_tokens']) ?? 0,
    cache_read_input_tokens: countOf(fields['cache_read_input_tokens']),
    cache_creation_input_tokens: countOf(fields['cache_creation_input_tokens']),
  };
}

/** Adds one delta to a block. Deltas of kinds that are not known are added to the field of the same name. */
function grow(
  open: Open,
  delta: Readonly<Record<string, unknown>>,
): { type: 'text-delta' | 'thinking-delta' | 'input-delta'; text: string } | null {
  const { block } = open;
  if (delta['type'] === 'input_json_delta') {
    const text = textOf(delta['partial_json']) ?? '';
    open.json += text;
    return { type: 'input-delta', text };
  }
  if (delta['type'] === 'citations_delta') {
    block['citations'] = [...(Array.isArray(block['citations']) ? block['citations'] : []), delta['citation']];
    return null;
  }
  for (const [key, value] of Object.entries(delta)) {
    if (key === 'type') continue;
    block[key] = typeof value === 'string' ? (textOf(block[key]) ?? '') + value : value;
  }
  if (delta['type'] === 'text_delta') return { type: 'text-delta', text: textOf(delta['text']) ?? '' };
  return delta['type'] === 'thinking_delta' ? { type: 'thinking-delta', text: textOf(delta['thinking']) ?? '' } : null;
}

/** Identity: one answer, from its first event to its last. `freshId` names calls that came without a usable id. */
export class AnswerBuilder {
  #head: { readonly id: string; readonly model: string } | null = null;
  readonly #blocks = new Map<number, Open>();
  #usage: Record<string, unknown> = {};
  #miss: string | null = null;
  #stopReason: string | null = null;
  #stopped = false;
  readonly #freshId: (given: string) => string;

  constructor(freshId: (given: string) => string) {
    this.#freshId = freshId;
  }

  get started(): boolean {
    return this.#head !== null;
  }

  /** Blocks that have ended, in order. */
  get complete(): readonly Returned[] {
    return [...this.#blocks].toSorted(([a], [b]) => a - b).flatMap(([, { block, done }]) => (done ? [block] : []));
  }

  /** The whole answer once its end has come. */
  get message(): AssistantMessage | null {
    if (this.#head === null || !this.#stopped) return null;
    const diagnostics = this.#miss === null ? {} : { diagnostics: { cache_miss_reason: { type: this.#miss } } };
    return { ...this.#head, content: this.complete, stop_reason: this.#stopReason, usage: usageOf(this.#usage), ...diagnostics };
  }

  /** Takes in one event; unknown ones change nothing. */
  add(event: unknown): ModelEvent | null {
    if (!isFields(event)) return null;
    const index = numberOf(event['index']) ?? -1;
    const open = this.#blocks.get(index);
    switch (event['type']) {
      case 'message_start': {
        const message = fieldsOf(event['message']);
        this.#head = { id: textOf(message['id']) ?? '', model: textOf(message['model']) ?? '' };
        this.#count(message['usage']);
        this.#miss = textOf(fieldsOf(fieldsOf(message['diagnostics'])['cache_miss_reason'])['type']);
        return { type: 'response-started', usage: usageOf(this.#usage) };
      }
      case 'content_block_start': {
        const block = fieldsOf(event['content_block']);
        const type = textOf(block['type']);
        if (type === null || index < 0) return null;
        const id = type === 'tool_use' ? { id: this.#freshId(textOf(block['id']) ?? '') } : {};
        this.#blocks.set(index, { block: { ...structuredClone(block), type, ...id }, json: '', done: false });
        return null;
      }
      case 'content_block_delta': {
        const grown = open === undefined || open.done ? null : grow(open, fieldsOf(event['delta']));
        return grown === null ? null : { ...grown, index };
      }
      case 'content_block_stop':
        if (open !== undefined) {
          if (open.json !== '') open.block['input'] = readToolInput(open.json);
          open.done = true;
        }
        return null;
      case 'message_delta':
        this.#stopReason = textOf(fieldsOf(event['delta'])['stop_reason']) ?? this.#stopReason;
        this.#count(event['usage']);
        return null;
      case 'message_stop':
        this.#stopped = true;
        return null;
      default:
        return null;
    }
  }

  /** Counts are cumulative: the latest number of each kind holds. */
  #count(usage: unknown): void {
    for (const key of counts) {
      const value = countOf(fieldsOf(usage)[key]);
      if (value !== null) this.#usage[key] = value;
    }
  }
}
