/** `read(fold)` equals a plain reduction over its scope, for random histories of appends, rewinds and boundaries. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fold } from './fold.js';
import { testPorts } from '../testing/test-ports.js';
import { TranscriptLog } from './log.js';
import type { ChainRecord, TranscriptRecord } from './records.js';

type Event = { readonly type: 'append' | 'several' | 'beside' | 'rewind' | 'boundary' | 'read' | 'orphan'; readonly dice: number };

/** The same rules, written down as plainly as they can be: everything is computed anew from the list. */
class Model {
  readonly all: TranscriptRecord[] = [];
  head: string | null = null;
  #next = 0;
  readonly #byId = new Map<string, ChainRecord>();

  id(): string {
    return `r${this.#next++}`;
  }

  add(records: readonly TranscriptRecord[], links: readonly (string | null)[] = []): void {
    records.forEach((record, index) => {
      this.all.push(record);
      if (record.type === 'state' && record.key === 'head') this.head = String(record.value);
      if (record.type === 'request' || record.type === 'queue' || record.type === 'state' || record.type === 'foreign') return;
      const link = links[index];
      this.#byId.set(record.id, link === undefined || record.type === 'compact_boundary' ? record : { ...record, parent: link });
      this.head = record.id;
    });
  }

  chain(head = this.head): ChainRecord[] {
    const record = head === null ? undefined : this.#byId.get(head);
    if (record === undefined) return [];
    return [...this.chain(record.type === 'compact_boundary' ? record.before : record.parent), record];
  }

  window(chain = this.chain()): ChainRecord[] {
    const at = chain.findLastIndex((record) => record.type === 'compact_boundary');
    const boundary = chain[at];
    if (boundary?.type !== 'compact_boundary') return chain;
    const old = this.window(chain.slice(0, at));
    const from = old.findIndex((record) => record.id === boundary.keepFrom);
    const tail = from < 0 ? [] : old.slice(from).filter((record) => record.type !== 'compact_boundary' && record.type !== 'prefix');
    const own = chain.slice(at);
    const together = own.findIndex((record) => record.batch.id !== boundary.batch.id);
    const first = together < 0 ? own.length : together;
    return [...own.slice(0, first), ...tail, ...own.slice(first)];
  }
}

const TYPES = ['user', 'assistant', 'tool_result', 'attachment', 'prefix'] as const;

/** A record of which only the place matters here. */
function record(type: TranscriptRecord['type'], id: string, more: object): TranscriptRecord {
  if (type === 'assistant') more = { ...more, message: { content: [] } };
  return { id, at: '', thread: 't', type, ...more } as unknown as TranscriptRecord;
}

function collect(scope: Fold<string[]>['scope'], on: Fold<string[]>['on']): Fold<string[]> {
  return {
    name: `ids:${scope}`,
    scope,
    on,
    initial: () => [],
    step: (ids, one) => {
      ids.push(`${one.type} ${one.id}`);
      return ids;
    },
  };
}
const ALL = ['user', 'assistant', 'tool_result', 'attachment', 'prefix', 'compact_boundary', 'request', 'queue', 'state'] as const;
const folds = (['window', 'chain', 'session'] as const).flatMap((scope) => [
  collect(scope, ALL),
  collect(scope, ['user', 'state']),
  collect(scope, ['attachment', 'request', 'compact_boundary']),
]);

function compare(log: TranscriptLog, model: Model): void {
  const scopes = { window: model.window(), chain: model.chain(), session: model.all };
  expect(log.head).toBe(model.head);
  expect(log.window.map(({ id }) => id)).toEqual(scopes.window.map(({ id }) => id));
  for (const fold of folds) {
    const plain = scopes[fold.scope].filter((one) => fold.on.includes(one.type)).reduce(fold.step, fold.initial());
    expect(log.read(fold)).toEqual(plain);
  }
}

function happen(log: TranscriptLog, model: Model, { type, dice }: Event): void {
  const add = (records: readonly TranscriptRecord[], links?: readonly (string | null)[]) => {
    log.add(records);
    model.add(records, links);
  };
  const one = (index: number, count: number, batch: string, parent: string | null, id = model.id()) =>
    record(TYPES[(dice + index) % TYPES.length] ?? 'user', id, { parent, batch: { id: batch, index, count } });
  const solo = { id: `b${model.all.length}`, index: 0, count: 1 };
  switch (type) {
    case 'append':
      return add([one(0, 1, solo.id, model.head)]);
    case 'several': {
      const count = 2 + (dice % 3);
      const ids = Array.from({ length: count }, () => model.id());
      return add(ids.map((id, index) => one(index, count, solo.id, index === 0 ? model.head : (ids[index - 1] ?? null), id)));
    }
    case 'beside':
      return add([record(dice % 2 === 0 ? 'request' : 'queue', model.id(), { batch: solo })]);
    case 'orphan':
      return add([one(0, 1, solo.id, 'missing')], [model.head]);
    case 'rewind': {
      const chain = model.chain();
      const to = chain[dice % Math.max(1, chain.length)];
      return to === undefined ? undefined : add([record('state', model.id(), { batch: solo, key: 'head', value: to.id })]);
    }
    case 'boundary': {
      if (model.head === null) return;
      const window = model.window();
      const keepFrom = dice % 3 === 0 ? null : (window[dice % window.length]?.id ?? null);
      const ids = [model.id(), model.id()] as const;
      return add([
        record('compact_boundary', ids[0], { parent: null, before: model.head, keepFrom, batch: { ...solo, count: 2 } }),
        record('user', ids[1], { parent: ids[0], batch: { ...solo, index: 1, count: 2 } }),
      ]);
    }
    case 'read':
      return compare(log, model);
  }
}

const events = fc.array(
  fc.record({
    type: fc.constantFrom<Event['type']>('append', 'append', 'append', 'several', 'beside', 'orphan', 'rewind', 'boundary', 'read'),
    dice: fc.nat(1000),
  }),
  { maxLength: 60, size: 'max' },
);

test('folds and the window are what a plain reduction makes of them, read at whichever moments', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      const log = new TranscriptLog();
      const model = new Model();
      for (const event of sequence) happen(log, model, event);
      compare(log, model);
    }),
    { numRuns: 400 },
  );
});

test('packing what stands before the window changes nothing that is read', () => {
  const { packing } = testPorts();
  fc.assert(
    fc.property(events, (sequence) => {
      const log = new TranscriptLog({ texts: 'window', packing });
      const model = new Model();
      for (const event of sequence) happen(log, model, event);
      compare(log, model);
      expect(model.chain().every(({ id }) => log.isOnChain(id))).toBe(true);
      expect(log.isOnChain('missing')).toBe(false);
      for (const one of [...model.chain(), ...model.all.filter(({ type }) => type === 'prefix')]) expect(log.get(one.id)?.id).toBe(one.id);
    }),
    { numRuns: 400 },
  );
});

test('boundary after boundary packs what is behind it, and nobody who reads on has it unpacked', () => {
  let unpacked = 0;
  const { packing } = testPorts();
  const log = new TranscriptLog({ texts: 'window', packing: { ...packing, unpack: (part) => (unpacked++, packing.unpack(part)) } });
  const model = new Model();
  const many = (count: number) => {
    for (let index = 0; index < count; index++) happen(log, model, { type: index % 5 === 0 ? 'beside' : 'append', dice: index });
  };
  const [early, late] = [collect('chain', ALL), collect('chain', ALL)];
  for (let round = 0; round < 10; round++) {
    many(50);
    log.read(early);
    many(50);
    happen(log, model, { type: 'boundary', dice: 0 });
    log.read(early);
  }
  expect([log.all.length, log.chain.length, unpacked]).toEqual([2, 2, 0]);
  expect(log.read(late)).toEqual(log.read(early));
  expect(unpacked).toBe(10);
});

test('a fold that throws keeps no boundary out, and whoever reads it hears of it', () => {
  const log = new TranscriptLog({ packing: testPorts().packing });
  const model = new Model();
  const breaks: Fold<number> = {
    ...collect('chain', ALL),
    initial: () => 0,
    step(count) {
      if (count === 2) throw new Error('no more');
      return count + 1;
    },
  };
  const append = () => happen(log, model, { type: 'append', dice: 0 });
  append();
  expect(log.read(breaks)).toBe(1);
  append();
  append();
  happen(log, model, { type: 'boundary', dice: 0 });
  append();
  expect(log.window.map(({ id }) => id)).toEqual(model.window().map(({ id }) => id));
  expect(() => log.read(breaks)).toThrow('no more');
});

test('requests are held for as long as their window, and the newest one beyond it', () => {
  const log = new TranscriptLog({ packing: testPorts().packing });
  const batch = { id: 'b', index: 0, count: 1 };
  log.add([record('user', 'a', { parent: null, batch }), record('request', 'q1', { head: 'a', batch })]);
  log.add([record('assistant', 'b', { parent: 'a', batch }), record('request', 'q2', { head: 'b', batch })]);
  expect([...log.sent.keys()]).toEqual(['a', 'b']);
  log.add([record('compact_boundary', 'c', { parent: null, before: 'b', keepFrom: null, batch: { ...batch, id: 'c' } })]);
  expect([...log.sent.keys()]).toEqual(['b']);
});

test('texts that are put back leave a record whose parent was lost where it was put', () => {
  const log = new TranscriptLog();
  const records = ['a', 'b', 'c'].map((id, at) =>
    record('user', id, { parent: [null, 'lost', 'b'][at], batch: { id, index: 0, count: 1 } }),
  );
  log.add(records);
  log.restore(records);
  expect(log.chain.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

test('a log that is filled at once reads like one that grew', () => {
  fc.assert(
    fc.property(events, (sequence) => {
      const grown = new TranscriptLog();
      const model = new Model();
      for (const event of sequence) happen(grown, model, event);
      const filled = new TranscriptLog();
      filled.add(grown.all);
      for (const fold of folds) expect(filled.read(fold)).toEqual(grown.read(fold));
    }),
    { numRuns: 100 },
  );
});

test('appending costs what is new: earlier records are not stepped through again', () => {
  let steps = 0;
  const fold: Fold<number> = { name: 'steps', scope: 'window', on: ALL, initial: () => 0, step: (sum) => (steps++, sum + 1) };
  const log = new TranscriptLog();
  const model = new Model();
  for (let round = 1; round <= 100; round++) {
    happen(log, model, { type: 'append', dice: round });
    expect(log.read(fold)).toBe(round);
  }
  expect(steps).toBe(100);
  const { window } = log;
  happen(log, model, { type: 'append', dice: 1 });
  expect(log.window).toBe(window);
});
