/**
 * Cache breakpoints. At most four: end of the static system part, end of the system, the entry that the ancestor wrote
 * last, the newest block. The third one stands exactly on a written entry, so the provider's 20-block look-back finds it
 * however many blocks a step added. A thread's first request has no such entry: there it stands before the typed words, so
 * that another thread which begins alike reads what both were told. Source: prompt caching, 2026-08-22.
 */
import type { Mark, Place } from '../transcript/records.js';
import type { Head } from './head.js';
import type { CacheControl, MessagesBody, WireBlock, WireMessage } from './wire.js';

export type MarkOptions = {
  readonly head: Head;
  readonly messages: readonly WireMessage[];
  readonly lastWritten: Place | null;
  readonly ttl: '5m' | '1h';
  /** The newest one is left to the provider. Default: it is not. */
  readonly automatic?: boolean;
};

/** Plans the marks of one request, in prefix order. */
export function planMarks({ head, messages, lastWritten, ttl, automatic = false }: MarkOptions): readonly Mark[] {
  const marks: Mark[] = [];
  const end = head.system.length - 1;
  if (head.boundary >= 0 && head.boundary < end) marks.push({ at: systemPlace(head.boundary), ttl, why: 'boundary' });
  if (end >= 0) marks.push({ at: systemPlace(end), ttl, why: 'system' });
  const newest = newestPlace(messages);
  // In a damaged history another block may stand there now.
  const written = lastWritten === null ? undefined : blockAt(messages, lastWritten);
  if (lastWritten !== null && written !== undefined && takesMark(written) && (newest === null || comparePlaces(lastWritten, newest) < 0))
    marks.push({ at: lastWritten, ttl, why: 'last-written' });
  const opening = lastWritten === null ? openingPlace(messages) : null;
  if (opening !== null) marks.push({ at: opening, ttl, why: 'opening' });
  if (newest !== null) marks.push({ at: newest, ttl, why: 'newest', ...(automatic ? { automatic } : {}) });
  return marks;
}

const systemPlace = (block: number): Place => ({ section: 'system', message: 0, block });
const ORDER = { tools: 0, system: 1, messages: 2 } as const;

/** Order of two places in the prefix. */
export function comparePlaces(a: Place, b: Place): number {
  return ORDER[a.section] - ORDER[b.section] || a.message - b.message || a.block - b.block;
}

function newestPlace(messages: readonly WireMessage[]): Place | null {
  for (let message = messages.length - 1; message >= 0; message--) {
    const content = messages[message]?.content ?? [];
    for (let block = content.length - 1; block >= 0; block--) {
      const at = content[block];
      if (at !== undefined && takesMark(at)) return { section: 'messages', message, block };
    }
  }
  return null;
}

/** The last block before the words, in a window that has nothing but its first message. */
function openingPlace(messages: readonly WireMessage[]): Place | null {
  const content = messages.length === 1 ? (messages[0]?.content ?? []) : [];
  const block = content.length - 2;
  const before = content[block];
  return before !== undefined && takesMark(before) ? { section: 'messages', message: 0, block } : null;
}

const takesMark = (block: WireBlock): boolean => ['text', 'image', 'document', 'tool_use', 'tool_result'].includes(block.type);
const blockAt = (messages: readonly WireMessage[], place: Place): WireBlock | undefined => messages[place.message]?.content[place.block];

/** The body with its marks: marked messages are copied, all others stay the same objects. */
export function withMarks(body: MessagesBody, marks: readonly Mark[]): MessagesBody {
  const system = [...body.system];
  const messages = [...body.messages];
  let top: Pick<MessagesBody, 'cache_control'> = {};
  for (const { at, ttl, automatic } of marks) {
    const cache_control: CacheControl = ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl };
    if (automatic === true) top = { cache_control };
    else if (at.section === 'system') {
      const block = system[at.block];
      if (block !== undefined) system[at.block] = { ...block, cache_control };
    } else if (at.section === 'messages') {
      const message = messages[at.message];
      if (message !== undefined) messages[at.message] = markMessage(message, at.block, cache_control);
    }
  }
  return { ...body, ...top, system, messages };
}

function markMessage(message: WireMessage, index: number, cache_control: CacheControl): WireMessage {
  const mark = <B extends WireBlock>(block: B, at: number): B => (at === index ? { ...block, cache_control } : block);
  return message.role === 'system'
    ? { ...message, content: message.content.map(mark) }
    : { ...message, content: message.content.map(mark) };
}
