import { describe, expect, test } from 'vitest';
import type { Json } from '../content/content.js';
import { FakeClock, testPorts } from '../testing/index.js';
import { TranscriptLog } from '../transcript/log.js';
import type { ChainRecord } from '../transcript/records.js';
import { Collector, type Collection, type CollectorOptions } from './collector.js';
import { defineAttachment, lastOf, type AnyAttachmentKind, type AttachmentKind, type Maybe, type Moment } from './contract.js';

type Data = { readonly text: string };
type Changes = Partial<AttachmentKind<Data, unknown>>;

/** A kind that says its own name, unless told otherwise. */
function kindOf(kind: string, changes: Changes = {}): AnyAttachmentKind {
  return defineAttachment<Data, unknown>({
    kind,
    version: 1,
    needs: [],
    group: 'thread',
    wait: 'may',
    trust: 'client',
    told: lastOf(kind, (data: Json) => data),
    decode: (data) => data,
    collect: () => ({ type: 'new', data: { text: kind } }),
    render: ({ text }) => ({ content: [{ type: 'text', text }] }),
    title: ({ text }) => text,
    reason: () => 'test',
    ...changes,
  });
}

const NOTHING: Maybe<Data> = { type: 'nothing' };
const fresh = (text: string): Maybe<Data> => ({ type: 'new', data: { text } });

/** An answer that comes when the test says so. */
function pending(): { readonly promise: Promise<Maybe<Data>>; readonly resolve: (maybe: Maybe<Data>) => void } {
  let resolve: (maybe: Maybe<Data>) => void = () => undefined;
  const promise = new Promise<Maybe<Data>>((done) => (resolve = done));
  return { promise, resolve };
}
const never = (): Promise<Maybe<Data>> => new Promise(() => undefined);

function bench(kinds: readonly AnyAttachmentKind[], changes: Partial<CollectorOptions> = {}) {
  const clock = new FakeClock();
  const log = new TranscriptLog();
  const ports = testPorts(clock);
  const collector = new Collector({ kinds, log, ports, off: () => undefined, isMain: true, ...changes });
  const started = clock.now();
  /** Collects, and moves the clock on in small steps until it is done. `ms`: how long it took. */
  const collect = async (moment: Partial<Moment> = {}): Promise<Collection & { readonly ms: number }> => {
    const from = clock.now();
    let done: Collection | undefined;
    const collecting = collector
      .collect({ trigger: 'prompt', prompts: [], turn: 1, step: 0, signal: new AbortController().signal, ...moment })
      .then((collection) => (done = collection));
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (done !== undefined) break;
      if (clock.now() - from > 60_000) throw new Error('it waits for a minute and more');
      clock.advance(10);
    }
    return { ...(await collecting), ms: clock.now() - from };
  };
  return { clock, log, ports, collect, started };
}
const told = ({ found }: Collection): readonly string[] => found.map(({ data }) => (data as Data).text);
const outcomes = ({ report }: Collection) => Object.fromEntries(report.map(({ kind, outcome }) => [kind, outcome]));
const words = [{ content: [{ type: 'text' as const, text: 'hello' }] }];
const flush = () => new Promise((resolve) => setImmediate(resolve));

const user = (id: string, parent: string | null): ChainRecord => ({
  id,
  parent,
  at: '',
  thread: 't',
  batch: { id, index: 0, count: 1 },
  type: 'user',
  content: [],
  origin: 'human',
});
const boundary = (id: string, before: string): ChainRecord => ({
  id,
  parent: null,
  at: '',
  thread: 't',
  batch: { id, index: 0, count: 1 },
  type: 'compact_boundary',
  before,
  keepFrom: null,
  trigger: 'auto',
  preTokens: 0,
});

describe('deadlines', () => {
  test('answers at once cost no time and start no timer', async () => {
    const { collect, clock } = bench([kindOf('a'), kindOf('b', { wait: 'must' }), kindOf('c', { collect: () => NOTHING })]);
    const collected = await collect();
    expect(told(collected)).toEqual(['a', 'b']);
    expect(outcomes(collected)).toEqual({ a: 'new', b: 'new', c: 'nothing' });
    expect(collected.ms).toBe(0);
    expect(clock.sleeping).toBe(0);
  });

  test('a kind that may hangs is late within a second, and is told at the next moment', async () => {
    const slow = pending();
    let asked = 0;
    const { collect, clock } = bench([
      kindOf('slow', { collect: () => (asked++ === 0 ? slow.promise : fresh('asked again')) }),
      kindOf('quick'),
    ]);
    const first = await collect();
    expect(told(first)).toEqual(['quick']);
    expect(first.ms).toBeLessThanOrEqual(1000);
    expect(first.report.find(({ kind }) => kind === 'slow')).toMatchObject({
      outcome: 'late',
      why: expect.stringContaining('kept for the next message'),
    });
    expect(clock.sleeping).toBe(0);
    slow.resolve(fresh('came late'));
    await flush();
    const second = await collect();
    expect(told(second)).toEqual(['came late', 'quick']);
    expect(second.ms).toBe(0);
    expect(asked).toBe(1);
    expect(told(await collect())).toEqual(['asked again', 'quick']);
  });

  test('while it still hangs it is not asked twice', async () => {
    const slow = pending();
    let asked = 0;
    const { collect, clock } = bench([kindOf('slow', { collect: () => (asked++, slow.promise) })]);
    expect(outcomes(await collect())).toEqual({ slow: 'late' });
    expect(outcomes(await collect())).toEqual({ slow: 'late' });
    slow.resolve(fresh('at last'));
    expect(told(await collect())).toEqual(['at last']);
    expect(asked).toBe(1);
    expect(clock.sleeping).toBe(0);
  });

  test('what came late for the window before a boundary is dropped and asked anew', async () => {
    const slow = pending();
    let asked = 0;
    const { collect, log } = bench([kindOf('slow', { collect: () => (asked++ === 0 ? slow.promise : fresh('of this window')) })]);
    log.add([user('a', null)]);
    await collect();
    slow.resolve(fresh('of the old window'));
    await flush();
    log.add([boundary('b', 'a'), user('s', 'b')]);
    expect(told(await collect())).toEqual(['of this window']);
  });

  test('a kind that must be heard is waited for up to ten seconds', async () => {
    const answering = pending();
    const { collect, clock } = bench([kindOf('must', { wait: 'must', collect: () => answering.promise }), kindOf('may')]);
    const due = clock.now() + 9_500;
    const advance = clock.advance.bind(clock);
    clock.advance = (ms) => {
      advance(ms);
      if (clock.now() >= due) answering.resolve(fresh('must'));
    };
    const collected = await collect();
    expect(told(collected)).toEqual(['must', 'may']);
    expect(collected.ms).toBe(9_500);
    expect(clock.sleeping).toBe(0);
  });

  test('and is late after them', async () => {
    const { collect, clock } = bench([kindOf('must', { wait: 'must', collect: never }), kindOf('may', { collect: never })]);
    const collected = await collect();
    expect(outcomes(collected)).toEqual({ must: 'late', may: 'late' });
    expect(collected.ms).toBeGreaterThanOrEqual(10_000);
    expect(collected.ms).toBeLessThanOrEqual(11_000);
    expect(clock.sleeping).toBe(0);
  });

  test('an interrupt ends the waiting at once', async () => {
    const abort = new AbortController();
    const { collect, clock } = bench([kindOf('must', { wait: 'must', collect: never })]);
    abort.abort('Esc');
    expect((await collect({ signal: abort.signal })).ms).toBe(0);
    expect(clock.sleeping).toBe(0);
  });
});

describe('what is broken is reported, and breaks nothing else', () => {
  test('a kind that throws, one that rejects, one that throws something odd', async () => {
    const { collect, clock } = bench([
      kindOf('throws', {
        collect: () => {
          throw new Error('in collect');
        },
      }),
      kindOf('rejects', { collect: async () => Promise.reject(new Error('later')) }),
      kindOf('odd', { collect: () => Promise.reject('a word') }),
      kindOf('told throws', {
        told: {
          name: 'told',
          scope: 'window',
          on: ['user'],
          initial: () => {
            throw new Error('in told');
          },
          step: (state) => state,
        },
      }),
      kindOf('fine'),
    ]);
    const collected = await collect();
    expect(told(collected)).toEqual(['fine']);
    expect(collected.report.map(({ outcome, why }) => [outcome, why])).toEqual([
      ['failed', 'in collect'],
      ['failed', 'later'],
      ['failed', 'a word'],
      ['failed', 'in told'],
      ['new', undefined],
    ]);
    expect(clock.sleeping).toBe(0);
  });

  test('a kind without its port is off, by the name of the port; one that was switched off says why', async () => {
    const { collect } = bench([kindOf('git', { needs: ['git'] as never }), kindOf('b')], {
      off: ({ kind }) => (kind === 'b' ? 'by --no-b' : undefined),
    });
    expect((await collect()).report).toEqual([
      { kind: 'git', outcome: 'off', ms: 0, why: 'this session has no view of git' },
      { kind: 'b', outcome: 'off', ms: 0, why: 'by --no-b' },
    ]);
  });

  test('notes for a person stand in the report, whatever else a kind has to say', async () => {
    const notes = ['x.md: no such file'];
    const { collect } = bench([
      kindOf('quiet', { collect: () => ({ ...NOTHING, notes }) }),
      kindOf('told', { collect: () => ({ ...fresh('told'), notes }) }),
      kindOf('plain', { collect: () => ({ ...NOTHING, notes: [] }) }),
    ]);
    const { report } = await collect();
    expect(report.map(({ kind, outcome, notes: said }) => [kind, outcome, said])).toEqual([
      ['quiet', 'nothing', notes],
      ['told', 'new', notes],
      ['plain', 'nothing', undefined],
    ]);
  });

  test('unavailable is reported with its reason, and is not nothing', async () => {
    const { collect } = bench([kindOf('a', { collect: () => ({ type: 'unavailable', why: 'the disk is gone' }) })]);
    const collected = await collect();
    expect(collected.found).toEqual([]);
    expect(collected.report).toEqual([{ kind: 'a', outcome: 'unavailable', ms: 0, why: 'the disk is gone' }]);
  });
});

describe('who is asked, and in which order it is told', () => {
  const kinds = [
    kindOf('thread'),
    kindOf('input', {
      group: 'input',
      effects: () => [{ type: 'touched', path: '/p/a' }],
    }),
    kindOf('opening', { position: 'opening' }),
    kindOf('main', { group: 'main' }),
  ];

  test('the opening, then what the words named, then the catalogue', async () => {
    expect(told(await bench(kinds).collect({ prompts: words }))).toEqual(['opening', 'input', 'thread', 'main']);
  });

  test('the input group only with words, the main group never in a sub-agent', async () => {
    expect(told(await bench(kinds).collect({ trigger: 'tool_results' }))).toEqual(['opening', 'thread', 'main']);
    expect(told(await bench(kinds).collect({ trigger: 'tool_results', prompts: words }))).toContain('input');
    expect(told(await bench(kinds, { isMain: false }).collect({ prompts: words }))).toEqual(['opening', 'input', 'thread']);
  });

  test('the others know what the input group just did; effects that throw are none', async () => {
    const seen: unknown[] = [];
    const { collect } = bench([
      kindOf('watches', {
        collect: ({ effects }) => {
          seen.push(effects);
          return NOTHING;
        },
      }),
      ...kinds,
      kindOf('bad', {
        group: 'input',
        effects: () => {
          throw new Error('no effects');
        },
      }),
    ]);
    await collect({ prompts: words });
    expect(seen).toEqual([[{ type: 'touched', path: '/p/a' }]]);
  });

  test('what an input kind found late is told with the next words, which are looked at as well', async () => {
    const slow = pending();
    let asked = 0;
    const { collect } = bench([
      kindOf('input', { group: 'input', collect: () => (asked++ === 0 ? slow.promise : fresh('of the next words')) }),
    ]);
    expect(outcomes(await collect({ prompts: words }))).toEqual({ input: 'late' });
    slow.resolve(fresh('of the first words'));
    await flush();
    expect(told(await collect({ trigger: 'tool_results' }))).toEqual([]);
    expect(told(await collect({ prompts: words }))).toEqual(['of the first words', 'of the next words']);
    expect(told(await collect({ prompts: words }))).toEqual(['of the next words']);
  });
});

test('a kind that is asked last finds what became ready while the others answered', async () => {
  const { promise, resolve } = pending();
  let ready = false;
  const kinds = [
    kindOf('hasty', { last: true, collect: () => (ready ? fresh('hasty') : NOTHING) }),
    kindOf('slow', { collect: () => promise }),
  ];
  const { collect } = bench(kinds);
  const collecting = collect();
  await flush();
  ready = true;
  resolve(fresh('slow'));
  expect(told(await collecting)).toEqual(['slow', 'hasty']);
});
