/** Things that wait for delivery: notices and steered words. Pending = enqueued − removed; kinds take off what was delivered on this chain. */
import { deliveredFold } from '../attachments/parts/delivered.js';
import type { Ports } from '../attachments/ports.js';
import type { Content, Id, Json } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { Trust } from '../transcript/records.js';
import type { Notice } from './session.js';

type Item =
  | { readonly type: 'notice'; readonly text: string; readonly trust: Trust; readonly wake: boolean }
  | { readonly type: 'steer'; readonly content: readonly Content[] };

/** Fold: enqueued and not taken back, in order. */
export const queueFold: Fold<Map<Id, Item>> = {
  name: 'queue',
  scope: 'session',
  on: ['queue'],
  initial: () => new Map(),
  step(state, record) {
    if (record.type !== 'queue') return state;
    if (record.operation === 'remove') state.delete(record.item);
    else if (isItem(record.value)) state.set(record.item, record.value);
    return state;
  },
};

/** Fold: notices that this chain has. */
const deliveredNotices = deliveredFold('task_notifications');

/** Notices that wait for delivery on this chain. */
export function pendingNotices(log: TranscriptLog): readonly Notice[] {
  const delivered = log.read(deliveredNotices);
  return [...log.read(queueFold)].flatMap(([id, item]) => (item.type === 'notice' && !delivered.has(id) ? [item] : []));
}

/** Fold: steered words that this chain has. */
export const deliveredSteers = deliveredFold('queued_commands');

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'type' in value && (value.type === 'notice' || value.type === 'steer');
}

/** What the queue holds, as ports for the kinds that deliver it. */
export function queuePorts(log: TranscriptLog): Required<Pick<Ports, 'notices' | 'steered'>> {
  const pick = <T>(choose: (id: Id, item: Item) => readonly T[]) => ({
    read: () => {
      const queue = log.read(queueFold);
      return { type: 'ready' as const, value: [...queue].flatMap(([id, item]) => choose(id, item)), version: String(queue.size) };
    },
  });
  return {
    notices: pick((id, item) => (item.type === 'notice' ? [{ id, text: item.text, trust: item.trust }] : [])),
    steered: pick((id, item) => (item.type === 'steer' ? [{ id, content: item.content }] : [])),
  };
}

/** A queue value is JSON by construction. */
export const queueValue = (item: Item): Json => item as Json;
