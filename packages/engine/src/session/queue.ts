/** Things that wait for delivery: notices, steered words, messages. Waiting = enqueued − removed − delivered, or told by a result, on this chain. */
import { deliveredOf } from '../attachments/parts/delivered.js';
import type { Ports } from '../attachments/ports.js';
import type { Content, Id, Json } from '../content/content.js';
import type { TranscriptLog } from '../transcript/log.js';
import type { TranscriptRecord, Trust } from '../transcript/records.js';
import { taskChangeIn, type TaskChange } from '../attachments/parts/task-effects.js';
import { effectsIn } from '../attachments/parts/views.js';

export type QueueItem =
  | { readonly type: 'notice'; readonly text: string; readonly trust: Trust; readonly wake: boolean; readonly task?: TaskChange }
  | { readonly type: 'steer'; readonly content: readonly Content[] }
  | { readonly type: 'message'; readonly from: string; readonly text: string };

type Waiting<Type extends QueueItem['type']> = readonly (Extract<QueueItem, { readonly type: Type }> & { readonly id: Id })[];

type Log = Pick<TranscriptLog, 'since' | 'branch' | 'readers'>;

/** The kinds whose records say what was delivered. */
const DELIVERING: readonly string[] = ['task_notifications', 'queued_commands', 'agent_pending_messages'];

/** Identity: how far the log was read. Cost: what is new; everything after a rewind. */
export class Queue {
  readonly #log: Log;
  #branch = -1;
  #read = { session: 0, chain: 0 };
  #waiting = new Map<Id, QueueItem>();
  /** Commands whose end the result of a call has told: the notice of it, before or after, is no news. */
  #ended = new Set<Id>();

  constructor(log: Log) {
    this.#log = log;
    log.readers.push(() => this.#readOn());
  }

  /** Items of one type, oldest first. */
  waiting<Type extends QueueItem['type']>(type: Type): Waiting<Type> {
    this.#readOn();
    const isOfType = (item: QueueItem): item is Extract<QueueItem, { readonly type: Type }> => item.type === type;
    return [...this.#waiting].flatMap(([id, item]) => (isOfType(item) ? [{ ...item, id }] : []));
  }

  /** Takes steered words out before the record that removes them is durable, so that nothing delivers them meanwhile. */
  take(id: Id): boolean {
    this.#readOn();
    return this.#waiting.get(id)?.type === 'steer' && this.#waiting.delete(id);
  }

  /** What was taken and could not be stored waits again. */
  reread(): void {
    this.#branch = -1;
  }

  #readOn(): void {
    const { branch } = this.#log;
    if (this.#branch !== branch) {
      this.#branch = branch;
      this.#read = { session: 0, chain: 0 };
      this.#waiting = new Map();
      this.#ended = new Set();
    }
    for (const record of this.#next('session')) this.#enqueued(record);
    for (const record of this.#next('chain')) this.#delivered(record);
  }

  #next(scope: 'session' | 'chain'): readonly TranscriptRecord[] {
    const records = this.#log.since(scope, this.#read[scope]);
    this.#read[scope] += records.length;
    return records;
  }

  #enqueued(record: TranscriptRecord): void {
    if (record.type !== 'queue') return;
    if (record.operation === 'remove') this.#waiting.delete(record.item);
    else if (isItem(record.value) && !this.#isTold(record.value)) this.#waiting.set(record.item, record.value);
  }

  #isTold(item: QueueItem): boolean {
    return item.type === 'notice' && item.task !== undefined && isEnd(item.task) && this.#ended.has(item.task.id);
  }

  #delivered(record: TranscriptRecord): void {
    if (record.type === 'tool_result') this.#endsIn(record);
    if (record.type !== 'attachment' || !DELIVERING.includes(record.kind)) return;
    for (const id of deliveredOf(record.data)?.ids ?? []) this.#waiting.delete(id);
  }

  #endsIn(record: TranscriptRecord): void {
    const ends = effectsIn(record)
      .flatMap((effect) => taskChangeIn(effect) ?? [])
      .filter(isEnd);
    if (ends.length === 0) return;
    for (const { id } of ends) this.#ended.add(id);
    for (const [id, item] of this.#waiting) if (this.#isTold(item)) this.#waiting.delete(id);
  }
}

/** Agents are no commands: they may go on, and end by themselves again; no result of a call tells that. */
const isEnd = ({ state }: TaskChange): boolean => state === 'done' || state === 'failed';

function isItem(value: unknown): value is QueueItem {
  return typeof value === 'object' && value !== null && 'type' in value && ['notice', 'steer', 'message'].includes(String(value.type));
}

/** What the queue holds, as ports for the kinds that deliver it. */
export function queuePorts(queue: Queue): Required<Pick<Ports, 'notices' | 'steered' | 'messages'>> {
  const source = <Type extends QueueItem['type']>(type: Type) => ({
    read: () => ({ type: 'ready' as const, value: queue.waiting(type), version: '' }),
  });
  return { notices: source('notice'), messages: source('message'), steered: source('steer') };
}

/** A queue value is JSON by construction. */
export const queueValue = (item: QueueItem): Json => item as Json;
