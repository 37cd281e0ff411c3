/** Things that wait for delivery: notices and steered words. Pending = enqueued − removed; kinds take off what was delivered on this chain. */
import { deliveredFold } from '../attachments/parts/delivered.js';
import type { PromptInput } from '../attachments/contract.js';
import type { Ports } from '../attachments/ports.js';
import type { Content, Id, Json } from '../content/content.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { Trust } from '../transcript/records.js';
import type { Notice } from './session.js';

export type QueueItem =
  | { readonly type: 'notice'; readonly text: string; readonly trust: Trust; readonly wake: boolean }
  | { readonly type: 'steer'; readonly content: readonly Content[] }
  | { readonly type: 'message'; readonly from: string; readonly text: string };

/** Fold: enqueued and not taken back, in order. */
export const queueFold: Fold<Map<Id, QueueItem>> = {
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

/** Fold: messages of other agents that this chain has. */
const deliveredMessages = deliveredFold('agent_pending_messages');

/** Whether a message of another agent waits for delivery on this chain. */
export function hasMessages(log: TranscriptLog): boolean {
  const delivered = log.read(deliveredMessages);
  return [...log.read(queueFold)].some(([id, item]) => item.type === 'message' && !delivered.has(id));
}

/** Fold: steered words that this chain has. */
const deliveredSteers = deliveredFold('queued_commands');

/** Steered words that wait for delivery on this chain, as prompts. */
export function steeredPrompts(log: TranscriptLog): readonly PromptInput[] {
  const delivered = log.read(deliveredSteers);
  return [...log.read(queueFold)].flatMap(([id, item]) => (item.type === 'steer' && !delivered.has(id) ? [{ content: item.content }] : []));
}

function isItem(value: unknown): value is QueueItem {
  return typeof value === 'object' && value !== null && 'type' in value && ['notice', 'steer', 'message'].includes(String(value.type));
}

/** What the queue holds, as ports for the kinds that deliver it. */
export function queuePorts(log: TranscriptLog): Required<Pick<Ports, 'notices' | 'steered' | 'messages'>> {
  const pick = <T>(choose: (id: Id, item: QueueItem) => readonly T[]) => ({
    read: () => {
      const queue = log.read(queueFold);
      return { type: 'ready' as const, value: [...queue].flatMap(([id, item]) => choose(id, item)), version: String(queue.size) };
    },
  });
  return {
    notices: pick((id, item) => (item.type === 'notice' ? [{ id, text: item.text, trust: item.trust }] : [])),
    messages: pick((id, item) => (item.type === 'message' ? [{ id, from: item.from, text: item.text }] : [])),
    steered: pick((id, item) => (item.type === 'steer' ? [{ id, content: item.content }] : [])),
  };
}

/** A queue value is JSON by construction. */
export const queueValue = (item: QueueItem): Json => item as Json;
