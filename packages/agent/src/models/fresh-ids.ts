/** Ids of calls, unique in a conversation: two calls with one id would share one result, and a provider refuses such a request. */
import { randomUUID } from 'node:crypto';
import type { MessagesBody } from '@sidenote/engine';

/**
 * Gives each call of one answer the id that it came with; one that has none, or that this answer or `body` has already, gets
 * one of its own, which begins with `prefix`.
 */
export function freshIds(body: MessagesBody, prefix: string): (given: string) => string {
  let taken: Set<string> | undefined;
  return (given) => {
    taken ??= usedIds(body);
    const id = given === '' || taken.has(given) ? `${prefix}${randomUUID()}` : given;
    taken.add(id);
    return id;
  };
}

function usedIds(body: MessagesBody): Set<string> {
  return new Set(body.messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))));
}
