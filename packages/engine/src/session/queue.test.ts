import { expect, test } from 'vitest';
import { taskTold } from '../attachments/parts/task-effects.js';
import type { ChainRecord, TranscriptRecord } from '../transcript/records.js';
import { Queue } from './queue.js';

const common = (id: string) => ({ id, at: '2031-03-01T10:00:00.000Z', thread: 't', batch: { id, index: 0, count: 1 } });
const enqueued = (item: string): TranscriptRecord => ({
  ...common(`q-${item}`),
  type: 'queue',
  operation: 'enqueue',
  item,
  value: { type: 'notice', text: item, trust: 'client', wake: false },
});
const delivery = (...ids: readonly string[]): ChainRecord => ({
  ...common(`d-${ids.join()}`),
  type: 'attachment',
  parent: null,
  kind: 'task_notifications',
  version: 1,
  data: { ids },
  content: [],
  host: '',
  delivery: { type: 'before-prompt' },
  trust: 'client',
  wrap: null,
  title: '',
  reason: '',
  effects: [],
});

/** A log as a queue sees it. */
function fakeLog(all: TranscriptRecord[] = [], chain: ChainRecord[] = []) {
  const since = (scope: 'session' | 'chain' | 'window', from: number) => (scope === 'session' ? all : chain).slice(from);
  return { all, chain, since, branch: 0, readers: [] };
}

/** A list that counts how many of its members are read. */
function counted<T>(reads: { count: number }): T[] {
  return new Proxy([] as T[], {
    get(target, key) {
      if (/^\d+$/.test(String(key))) reads.count++;
      return Reflect.get(target, key);
    },
  });
}

test('looking costs what is new, however much the queue has held; all of it after a rewind', () => {
  const reads = { count: 0 };
  const log = fakeLog(counted<TranscriptRecord>(reads), counted<ChainRecord>(reads));
  const queue = new Queue(log);
  const ids = Array.from({ length: 1_000 }, (_, at) => `n${at}`);
  for (const id of ids) log.all.push(enqueued(id));
  const told = delivery(...ids.slice(0, 999));
  log.all.push(told);
  log.chain.push(told);
  expect(queue.waiting('notice').map(({ id }) => id)).toEqual(['n999']);
  reads.count = 0;
  log.all.push(enqueued('late'));
  expect(queue.waiting('notice').map(({ id }) => id)).toEqual(['n999', 'late']);
  expect(reads.count).toBe(1);
  log.chain.length = 0;
  log.branch++;
  expect(queue.waiting('notice')).toHaveLength(1_001);
});

test('a notice of an end that the result of a call has told is none, whichever came first; after a rewind it is one again', () => {
  const log = fakeLog();
  const queue = new Queue(log);
  const end = (item: string, state: 'done' | 'stopped' = 'done'): TranscriptRecord => ({
    ...common(`q-${item}`),
    type: 'queue',
    operation: 'enqueue',
    item,
    value: { type: 'notice', text: item, trust: 'client', wake: true, task: { id: item, state } },
  });
  const result = (id: string, state: 'done' | 'stopped' | 'running' = 'done'): ChainRecord => ({
    ...common(`r-${id}`),
    type: 'tool_result',
    parent: null,
    call: 'c',
    content: [],
    isError: false,
    effects: [taskTold({ id, state })],
  });
  const told = [result('a'), result('b'), result('c', 'running'), result('d', 'stopped')];
  log.all.push(end('a'), end('c'), end('d', 'stopped'), ...told);
  log.chain.push(...told);
  expect(queue.waiting('notice').map(({ id }) => id)).toEqual(['c', 'd']);
  log.all.push(end('b'));
  expect(queue.waiting('notice').map(({ id }) => id)).toEqual(['c', 'd']);
  log.chain.length = 0;
  log.branch++;
  expect(queue.waiting('notice').map(({ id }) => id)).toEqual(['a', 'c', 'd', 'b']);
});
