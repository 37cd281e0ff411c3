/** A request as a short listing, for snapshots and for people: one line a block. */
import type { MessagesBody, WireBlock } from '../request/wire.js';

const WIDTH = 72;

/** What a request holds, in the order in which it is sent. `▪` is a cache mark. */
export function layout(body: MessagesBody): string {
  return [
    ...(body.cache_control === undefined ? [] : ['cache automatic ▪']),
    `tools ${body.tools.map((tool) => tool.name).join(' ')}`,
    ...body.system.map((block) => line('system', block)),
    ...body.messages.flatMap((message) => [message.role, ...message.content.map((block) => `  ${blockLine(block)}`)]),
  ].join('\n');
}

function blockLine(block: WireBlock): string {
  if (block.type !== 'tool_result') return line(block.type, block);
  const inside = block.content.map((part) => (part.type === 'text' ? short(part.text) : `[${part.type}]`)).join(' + ');
  return `result${block.is_error === true ? ' error' : ''}${markOf(block)} ${inside}`;
}

function line(name: string, block: WireBlock): string {
  if (block.type === 'text') return `${name}${markOf(block)} ${short(block.text)}`;
  if (block.type === 'tool_use') return `call${markOf(block)} ${block.name} ${short(JSON.stringify(block.input))}`;
  if (block.type === 'thinking') return `thinking ${short(block.thinking)}`;
  return `${name}${markOf(block)}`;
}

const markOf = (block: object): string => ('cache_control' in block && block.cache_control !== undefined ? ' ▪' : '');

function short(text: string): string {
  const flat = text.replaceAll('\n', '⏎');
  return flat.length <= WIDTH ? flat : `${flat.slice(0, WIDTH).toWellFormed()}… (${text.length})`;
}
