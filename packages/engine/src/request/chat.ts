/**
 * The Chat Completions form of a request: pure, and in a stable order, so that automatic caches of other providers hold as
 * well as marked ones. Thinking stays behind; what a model returned in a form of its own goes back as a field.
 */
import type { RequestPlan } from './plan.js';
import type { MessagesBody, WireBlock, WireMedia, WireMessage } from './wire.js';

export type ChatTextPart = { type: 'text'; text: string };
export type ChatPart =
  | ChatTextPart
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } };
export type ChatToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };
/** Assignable to the SDK's message parameters. `reasoning_content` is what some servers want back from their own answers. */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: ChatPart[] }
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ChatToolCall[]; reasoning_content?: string };
export type ChatTool = {
  type: 'function';
  function: { name: string; description: string; parameters: { type: 'object'; [key: string]: unknown } };
};
export type ChatBody = {
  model: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  /** Sends requests of one prefix to one cache. */
  prompt_cache_key: string;
};

/** Stands between the texts of one message where the form has only one string. */
const JOINT = '\n\n';

/** `plan.prefix` becomes the cache key. `max_tokens` and `stream` are the caller's. */
export function toChat(plan: Pick<RequestPlan, 'prefix'>, body: MessagesBody): ChatBody {
  const system = body.system.map(({ text }) => text).join(JOINT);
  const messages = body.messages.flatMap(chatMessages);
  return {
    model: body.model,
    messages: system === '' ? messages : [{ role: 'system', content: system }, ...messages],
    ...(body.tools.length > 0 ? { tools: body.tools.map(chatTool) } : {}),
    prompt_cache_key: plan.prefix,
  };
}

/** One message each, except for results: each is a message of its own, and their media follow as the user's. */
function chatMessages(message: WireMessage): readonly ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content.map(({ text }) => text).join(JOINT) }];
    case 'assistant':
      return [chatAnswer(message.content)];
    case 'user':
      return chatUser(message.content);
  }
}

function chatUser(blocks: readonly WireBlock[]): readonly ChatMessage[] {
  const results: ChatMessage[] = [];
  const parts: ChatPart[] = [];
  for (const block of blocks) {
    if (block.type === 'text') parts.push({ type: 'text', text: block.text });
    else if (block.type === 'image' || block.type === 'document') parts.push(chatMedia(block));
    else if (block.type === 'tool_result') {
      results.push({ role: 'tool', tool_call_id: block.tool_use_id, content: resultText(block) });
      const media = block.content.filter((part) => part.type !== 'text');
      if (media.length > 0) parts.push({ type: 'text', text: `From the result of ${block.tool_use_id}:` }, ...media.map(chatMedia));
    }
  }
  return parts.length > 0 ? [...results, { role: 'user', content: parts }] : results;
}

function resultText(block: Extract<WireBlock, { type: 'tool_result' }>): string {
  const texts = block.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const media = block.content.length - texts.length;
  if (media > 0)
    texts.push(media === 1 ? '[1 image or document, in the next message]' : `[${media} images or documents, in the next message]`);
  if (block.is_error === true) texts.unshift('[this call failed]');
  return texts.join(JOINT);
}

function chatAnswer(blocks: readonly WireBlock[]): ChatMessage {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const calls = blocks.flatMap((block): ChatToolCall[] =>
    block.type === 'tool_use'
      ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
      : [],
  );
  const reasoning = blocks.map(ownReasoning).join('');
  return {
    role: 'assistant',
    // A message needs words or calls.
    content: texts.length > 0 ? texts.join(JOINT) : calls.length > 0 ? null : '',
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(reasoning !== '' ? { reasoning_content: reasoning } : {}),
  };
}

/** Adapters keep what a server calls its reasoning as a block `{type: 'reasoning', text}`. */
function ownReasoning(block: { readonly type: string }): string {
  return block.type === 'reasoning' && 'text' in block && typeof block.text === 'string' ? block.text : '';
}

function chatMedia(media: WireMedia): ChatPart {
  if (media.source.type === 'text') return { type: 'text', text: media.source.data };
  const { media_type: type, data } = media.source;
  const url = `data:${type};base64,${data}`;
  if (media.type === 'image') return { type: 'image_url', image_url: { url } };
  return { type: 'file', file: { filename: 'document.pdf', file_data: url } };
}

function chatTool({ name, description, input_schema }: MessagesBody['tools'][number]): ChatTool {
  return { type: 'function', function: { name, description, parameters: input_schema } };
}
