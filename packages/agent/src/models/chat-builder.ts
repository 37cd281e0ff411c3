/** Puts a streamed Chat Completions answer together as blocks of the Messages form. */
import type { AssistantMessage, ModelEvent, Returned, Usage } from '@sidenote/engine';
import { countOf, fieldsOf, listOf, numberOf, textOf } from './fields.js';
import { readToolInput } from './tool-input.js';

/** `given`: the id that it came with. */
type Call = { readonly type: 'tool_use'; readonly id: string; readonly given: string; name: string; json: string };
type Part = { readonly type: 'text' | 'reasoning'; text: string } | Call;

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};

/** `prompt_tokens` holds what was read from a cache too; ours does not. */
function usageOf(value: unknown): Usage {
  const fields = fieldsOf(value);
  const prompt = countOf(fields['prompt_tokens']) ?? 0;
  const read = countOf(fieldsOf(fields['prompt_tokens_details'])['cached_tokens']) ?? countOf(fields['prompt_cache_hit_tokens']);
  return {
    input_tokens: Math.max(0, prompt - (read ?? 0)),
    output_tokens: countOf(fields['completion_tokens']) ?? 0,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: null,
  };
}

/** Identity: one answer, from its first chunk to its last. `freshId` names calls that came without a usable id. */
export class ChatBuilder {
  #head: { readonly id: string; readonly model: string } | null = null;
  readonly #parts: Part[] = [];
  /** Calls by the number that the server gives them. */
  readonly #calls = new Map<number, Call>();
  #newest: Call | undefined;
  #usage: unknown = null;
  #finish: string | null = null;
  readonly #model: string;
  readonly #freshId: (given: string) => string;

  constructor(options: { readonly model: string; readonly freshId: (given: string) => string }) {
    this.#model = options.model;
    this.#freshId = options.freshId;
  }

  get started(): boolean {
    return this.#head !== null;
  }

  /** Every part before the newest one has ended; the newest one only when the server says why it stopped. */
  get complete(): readonly Returned[] {
    return (this.#finish === null ? this.#parts.slice(0, -1) : this.#parts).map((part) =>
      part.type === 'tool_use'
        ? { type: part.type, id: part.id, name: part.name, input: readToolInput(part.json) }
        : { type: part.type, text: part.text },
    );
  }

  /** The whole answer, once the server has said why it stopped. Its usage may follow later. */
  get message(): AssistantMessage | null {
    if (this.#head === null || this.#finish === null) return null;
    const reason = stopReasons[this.#finish] ?? this.#finish;
    // Some servers say `stop` although they call tools.
    const calls = reason === 'end_turn' && this.#newest !== undefined;
    return { ...this.#head, content: this.complete, stop_reason: calls ? 'tool_use' : reason, usage: usageOf(this.#usage) };
  }

  /** Takes in one chunk; fields that are not known change nothing. */
  add(chunk: unknown): readonly ModelEvent[] {
    const fields = fieldsOf(chunk);
    const events: ModelEvent[] = [];
    if (this.#head === null && Array.isArray(fields['choices'])) {
      this.#head = { id: textOf(fields['id']) ?? '', model: this.#model };
      events.push({ type: 'response-started', usage: usageOf(fields['usage']) });
    }
    if (typeof fields['usage'] === 'object' && fields['usage'] !== null) this.#usage = fields['usage'];
    const choice = fieldsOf(listOf(fields['choices'])[0]);
    const delta = fieldsOf(choice['delta']);
    const reasoning = textOf(delta['reasoning_content']) ?? textOf(delta['reasoning']);
    if (reasoning) events.push(this.#say('reasoning', reasoning));
    const text = textOf(delta['content']) ?? textOf(delta['refusal']);
    if (text) events.push(this.#say('text', text));
    for (const call of listOf(delta['tool_calls'])) events.push(...this.#call(fieldsOf(call)));
    this.#finish = textOf(choice['finish_reason']) ?? this.#finish;
    return events;
  }

  #say(type: 'text' | 'reasoning', text: string): ModelEvent {
    let index = this.#parts.findIndex((part) => part.type === type);
    if (index < 0) index = this.#parts.push({ type, text: '' }) - 1;
    const part = this.#parts[index];
    if (part !== undefined && part.type !== 'tool_use') part.text += text;
    return { type: type === 'text' ? 'text-delta' : 'thinking-delta', index, text };
  }

  #call(delta: Readonly<Record<string, unknown>>): readonly ModelEvent[] {
    const given = textOf(delta['id']) ?? '';
    const fields = fieldsOf(delta['function']);
    const name = textOf(fields['name']) ?? '';
    const number = numberOf(delta['index']);
    let call = number === null ? this.#newest : this.#calls.get(number);
    if (call === undefined || (number === null ? beginsUnnumbered(call, given, name) : beginsAnew(call, given, name))) {
      call = { type: 'tool_use', id: this.#freshId(given), given, name: '', json: '' };
      this.#newest = call;
      if (number !== null) this.#calls.set(number, call);
      this.#parts.push(call);
    }
    call.name += name;
    const text = textOf(fields['arguments']) ?? '';
    call.json += text;
    return text === '' ? [] : [{ type: 'input-delta', index: this.#parts.indexOf(call), text }];
  }
}

/** A server that does not number its calls begins a new one with an id, or says the id of one with each piece of it. */
const beginsUnnumbered = (call: Call, given: string, name: string): boolean => given !== '' && (given !== call.given || name !== '');

/** Some servers give all calls of an answer one number: another id, or a name behind a whole input, is another call. */
const beginsAnew = (call: Call, given: string, name: string): boolean =>
  name !== '' && ((given !== '' && given !== call.given) || isWhole(call.json));

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
