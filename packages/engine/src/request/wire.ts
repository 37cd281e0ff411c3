/** The closed list of what may go out. Types are mutable so that the SDK's parameter types accept them; every object is frozen. */
import type { Text } from '../content/content.js';
import type { WireMedia } from '../content/media.js';
import type { ToolSpec } from '../transcript/records.js';

export type { WireMedia };

export type CacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' };
type Marked = { cache_control?: CacheControl };

/** Assignable to the SDK's `ContentBlockParam`. */
export type WireBlock =
  | (Text & Marked)
  | (WireMedia & Marked)
  | ({ type: 'tool_use'; id: string; name: string; input: unknown } & Marked)
  | ({ type: 'tool_result'; tool_use_id: string; content: (Text | WireMedia)[]; is_error?: boolean } & Marked)
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export type WireMessage = { role: 'user' | 'assistant'; content: WireBlock[] } | { role: 'system'; content: Text[] };

/** The body of a Messages request, without `max_tokens` and `stream`, which are the caller's. */
export type MessagesBody = {
  model: string;
  system: (Text & Marked)[];
  tools: ToolSpec[];
  messages: WireMessage[];
  /** With `cache.mode: automatic`: the provider marks the last block that takes a mark. */
  cache_control?: CacheControl;
  /** From the session's `params`; part of the cache key of the messages. */
  thinking?: { type: 'adaptive'; display?: 'summarized' | 'omitted' } | { type: 'enabled'; budget_tokens: number } | { type: 'disabled' };
  output_config?: { effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' };
};
