/** Rules about cache breakpoints: how many, where, and in which order of lifetimes. */
import type { Place } from '../transcript/records.js';
import type { Report } from './problem.js';
import type { CacheControl, MessagesBody } from './wire.js';

/** Source: prompt-caching, 2026-08-22. */
const MOST_MARKS = 4;

type Markable = { readonly type: string; readonly cache_control?: CacheControl };

/** All marks of a body in the order in which the provider reads it. */
export function placesOfMarks(body: MessagesBody): readonly Place[] {
  const places: Place[] = [];
  body.system.forEach((block, index) => {
    if (block.cache_control !== undefined) places.push({ section: 'system', message: 0, block: index });
  });
  body.messages.forEach((message, index) =>
    message.content.forEach((block: Markable, at) => {
      if (block.cache_control !== undefined) places.push({ section: 'messages', message: index, block: at });
    }),
  );
  return places;
}

/** `places` in reading order. Blank text is found by the rule for blocks. */
export function checkMarks(body: MessagesBody, places: readonly Place[], report: Report): void {
  const automatic = body.cache_control;
  const count = places.length + (automatic === undefined ? 0 : 1);
  if (count > MOST_MARKS) report('cache_control', 'mark-count', `${count} marks, but at most ${MOST_MARKS} are allowed`);
  let shortSeen = false;
  for (const place of places) {
    const path = place.section === 'messages' ? `messages.${place.message}.content.${place.block}` : `${place.section}.${place.block}`;
    const block = blockAt(body, place);
    const ttl = block?.cache_control?.ttl ?? '5m';
    if (block?.cache_control === undefined) report(path, 'mark-place', 'no marked block stands here');
    else if (block.type === 'thinking' || block.type === 'redacted_thinking') report(path, 'mark-place', 'thinking cannot be marked');
    if (ttl === '1h' && shortSeen) report(path, 'mark-order', 'a mark of one hour must not follow one of five minutes');
    shortSeen ||= ttl === '5m';
  }
  if (automatic?.ttl === '1h' && shortSeen) report('cache_control', 'mark-order', 'a mark of one hour must not follow one of five minutes');
}

function blockAt(body: MessagesBody, { section, message, block }: Place): Markable | undefined {
  if (section === 'tools') return undefined;
  return section === 'system' ? body.system[block] : body.messages[message]?.content[block];
}
