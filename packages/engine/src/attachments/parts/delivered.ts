/** Exactly once: what of a queue was delivered on this chain, and what is next. */
import type { Id, Json } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import { isKind } from '../contract.js';
import { fitting, member, strings } from './kept.js';

/** Items of one message: their ids must fit into the record. */
const MOST_ITEMS = 50;

/** Fold over the chain, so that what compaction removed stays delivered: the ids in the data of one kind. */
export function deliveredFold(kind: string): Fold<Set<Id>> {
  return {
    name: `delivered:${kind}`,
    scope: 'chain',
    on: ['attachment'],
    initial: () => new Set(),
    step(delivered, record) {
      if (isKind(record, kind)) deliveredOf(record.data)?.ids.forEach((id) => delivered.add(id));
      return delivered;
    },
  };
}

/** The ids that a record keeps. */
export function deliveredOf(data: Json): { readonly ids: readonly Id[] } | undefined {
  const ids = strings(member(data, 'ids'));
  return ids === undefined ? undefined : { ids };
}

/** The next items in their order: at least one, and not more than a message should hold. */
export function nextOf<T extends { readonly id: Id }>(
  waiting: readonly T[],
  delivered: ReadonlySet<Id>,
  most: { readonly characters: number; readonly lengthOf: (item: T) => number },
): readonly T[] {
  const items: T[] = [];
  let characters = 0;
  for (const item of waiting) {
    if (delivered.has(item.id)) continue;
    characters += most.lengthOf(item);
    if (items.length === MOST_ITEMS || (items.length > 0 && characters > most.characters)) break;
    items.push(item);
  }
  const ids = fitting(items.map(({ id }) => id));
  return items.slice(0, ids.length);
}
