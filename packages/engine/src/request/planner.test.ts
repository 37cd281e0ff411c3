/** What a plan says of the cache: where the marks are, whether a look-back finds them, and what has moved. */
import { describe, expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import type { Session, SessionOptions, Step } from '../session/session.js';
import { answer, call, FakeClock, LawChecker, MemoryStore, say, testPorts, think } from '../testing/index.js';
import type { MessagesBody } from './wire.js';

function bench(changes: Partial<SessionOptions> = {}) {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: [
      { name: 'rules', text: 'Be good. '.repeat(400), static: true },
      { name: 'environment', text: 'Here.', static: false },
    ],
    store,
    ports: testPorts(clock),
    kinds: [],
    ...changes,
  };
  return { clock, store, options, laws: new LawChecker() };
}

type Block = { readonly type: string; readonly cache_control?: { readonly ttl?: '5m' | '1h' } };
/** Blocks in the order in which a provider hashes them: tools, system, messages. */
const blocksOf = (body: MessagesBody): readonly Block[] => [
  ...body.tools.map(() => ({ type: 'tool' })),
  ...body.system,
  ...body.messages.flatMap(({ content }): readonly Block[] => content),
];
const bareBlock = (block: Block): string => JSON.stringify(block, (key, value: unknown) => (key === 'cache_control' ? undefined : value));

/** A provider's cache as it is documented: entries at marks; a mark looks back over 20 blocks for one. */
class Cache {
  readonly #entries = new Set<string>();

  /** Blocks that are read from the cache; the marks of this request become entries. */
  send(body: MessagesBody): { readonly read: number; readonly blocks: number } {
    const blocks = blocksOf(body);
    const prefixes: string[] = [];
    for (const block of blocks) prefixes.push(`${prefixes.at(-1) ?? JSON.stringify(body.tools)}\n${bareBlock(block)}`);
    const marks = blocks.flatMap((block, index) => (block.cache_control === undefined ? [] : [index]));
    let read = 0;
    for (const mark of marks)
      for (let at = mark; at > mark - 20 && at >= 0; at--) {
        if (!this.#entries.has(prefixes[at] ?? '')) continue;
        read = Math.max(read, at + 1);
        break;
      }
    for (const mark of marks) this.#entries.add(prefixes[mark] ?? '');
    return { read, blocks: blocks.length };
  }
}

function checkMarks({ request, plan }: Step): void {
  const marked = blocksOf(request).filter((block) => block.cache_control !== undefined);
  expect(marked.length).toBeLessThanOrEqual(4);
  expect(marked.length).toBe(plan.marks.length);
  for (const block of marked) {
    expect(block.type).not.toMatch(/thinking/);
    expect('text' in block && typeof block.text === 'string' ? block.text.trim() : 'x').not.toBe('');
  }
  const lifetimes = marked.map((block) => block.cache_control?.ttl ?? '5m');
  expect(lifetimes).toEqual(lifetimes.toSorted());
}

async function manyResults(session: Session, count: number): Promise<void> {
  const calls = await session.main.response(
    answer([think('all of them'), ...Array.from({ length: count }, (_, n) => call('Read', { n })), say(' ')].slice(0, count + 1)),
  );
  for (const one of calls) await session.main.result(one.id, `text ${one.id}`);
}

describe('marks', () => {
  test('are found by a look-back of 20 blocks, however many results one step has', async () => {
    const { options, laws } = bench();
    const session = await openSession(options);
    const cache = new Cache();
    const steps: Step[] = [laws.check(await session.main.prompt('All of them.'), session.main)];
    for (const count of [26, 1, 40, 2]) {
      await manyResults(session, count);
      steps.push(laws.check(await session.main.next(), session.main));
    }
    let before = 0;
    for (const step of steps) {
      checkMarks(step);
      const { read, blocks } = cache.send(step.request);
      // Everything that was sent before is read, up to its last block.
      expect(read).toBe(before);
      before = blocks;
    }
  });

  test('stand on no thinking and no blank, when the newest message ends with such', async () => {
    const { options, laws } = bench();
    const session = await openSession(options);
    checkMarks(laws.check(await session.main.prompt('One.'), session.main));
    await session.main.response(answer([say('First.'), think('afterthought')]));
    const aside = await session.main.aside('Sum up.', 'summary');
    expect(blocksOf(aside.request).filter((block) => block.cache_control !== undefined).length).toBeLessThanOrEqual(4);
    checkMarks(laws.check(await session.main.prompt('Two.'), session.main));
  });

  test('live for an hour where a later turn begins, and from the first long pause on everywhere', async () => {
    const { options, laws, clock } = bench();
    const session = await openSession(options);
    const lifetimeOf = (step: Step) => {
      checkMarks(laws.check(step, session.main));
      return [...new Set(step.plan.marks.map(({ ttl }) => ttl))].join();
    };
    /** Of the request that opens the turn, and of the one after a call. */
    const lifetimes = async (words: string) => {
      const opening = lifetimeOf(await session.main.prompt(words));
      const [read] = await session.main.response(answer([call('Read', {})]));
      await session.main.result(read?.id ?? '', 'text');
      const after = lifetimeOf(await session.main.next());
      await session.main.response(answer([say('ok')]));
      return [opening, after];
    };
    expect(await lifetimes('One.')).toEqual(['5m', '5m']);
    clock.advance(5 * 60_000);
    expect(await lifetimes('Two.')).toEqual(['1h', '5m']);
    clock.advance(5 * 60_000 + 1);
    expect(await lifetimes('Three.')).toEqual(['1h', '1h']);
    expect(await lifetimes('Four.')).toEqual(['1h', '1h']);
    await session.close();
    const again = await openSession({ ...options, resume: session.id });
    expect(laws.check(await again.main.prompt('Five.'), again.main).plan.marks.every(({ ttl }) => ttl === '1h')).toBe(true);
  });

  test('stand once where the whole system is static', async () => {
    const { options, laws } = bench({ system: 'Be good.' });
    const session = await openSession(options);
    const step = laws.check(await session.main.prompt('One.'), session.main);
    expect(step.plan.marks.map(({ why }) => why)).toEqual(['system', 'newest']);
  });

  test('are off when the session is set so', async () => {
    const { options, laws } = bench({ cache: { mode: 'off' } });
    const session = await openSession(options);
    const step = laws.check(await session.main.prompt('One.'), session.main);
    expect(step.plan.marks).toEqual([]);
    expect(blocksOf(step.request).some((block) => block.cache_control !== undefined)).toBe(false);
  });
});

describe('expected tokens', () => {
  test('are read up to the ancestor while its entry lives, and written after', async () => {
    const { options, laws, clock } = bench();
    const session = await openSession(options);
    const first = laws.check(await session.main.prompt('One.'), session.main);
    expect(first.plan.expected.read).toBe(0);
    expect(first.plan.expected.write5m).toBeGreaterThan(900);
    await session.main.response(answer([say('First.')]));
    const second = laws.check(await session.main.prompt('Two.'), session.main);
    expect(second.plan.expected.read).toBe(first.plan.expected.write5m);
    expect(second.plan.expected.write1h).toBeLessThan(10);
    await session.main.response(answer([say('Second.')]));
    clock.advance(61 * 60_000);
    const third = laws.check(await session.main.prompt('Three.'), session.main);
    expect(third.plan.expected).toMatchObject({ read: 0, write5m: 0 });
  });

  test('and owners are those of their own request, however late they are asked for', async () => {
    const plans = async (ask: (step: Step) => unknown) => {
      const { options } = bench();
      const session = await openSession(options);
      const first = await session.main.prompt('One.');
      ask(first);
      await session.main.response(answer([say('First.')]));
      await session.main.prompt('Two.');
      return { expected: first.plan.expected, places: first.plan.owners.map(({ at }) => at) };
    };
    expect(await plans(() => undefined)).toEqual(await plans(({ plan }) => [plan.expected, plan.owners]));
  });
});

describe('a moved prefix', () => {
  /** Three turns, closed; `spoil` changes the file behind the session's back. */
  async function reopened(spoil: (line: string) => string, { options, laws, store } = bench()) {
    const session = await openSession(options);
    for (const words of ['First words.', 'Second words.', 'Third words.']) {
      laws.check(await session.main.prompt(words), session.main);
      await session.main.response(answer([think('hm'), say(`To: ${words}`)]));
    }
    await session.close();
    const lines = store.file(session.id);
    lines.splice(0, lines.length, ...lines.map(spoil));
    return openSession({ ...options, resume: session.id });
  }

  test('is named by its message and owner before the request leaves', async () => {
    for (const [before, after, message, owner] of [
      ['First words.', 'First w0rds.', 0, 'prompt human'],
      ['"Second words."', '"Second w0rds."', 2, 'prompt human'],
      ['To: Second words.', 'To: Second w0rds.', 3, 'answer claude-opus-5-5'],
      ['"Third words."', '"Third w0rds."', 4, 'prompt human'],
    ] as const) {
      const session = await reopened((line) => line.replace(before, after));
      const { plan } = await session.main.prompt('Fourth words.');
      expect(plan.moved).toMatchObject({ at: { section: 'messages', message, block: 0 }, owner });
      expect(plan.moved?.tokens).toBeGreaterThan(0);
      // Written for five minutes instead of read.
      expect(plan.moved?.usd).toBeCloseTo(((plan.moved?.tokens ?? 0) * (5 - 0.2)) / 1_000_000, 9);
      expect(plan.expected.write5m).toBeGreaterThanOrEqual(plan.moved?.tokens ?? 0);
      expect(plan.sealed).toBe(0);
      await session.main.response(answer([say('ok')]));
      // What was sent then counts from then on.
      expect((await session.main.prompt('Fifth words.')).plan.moved).toBeNull();
    }
  });

  test('counts from what was sent after it moved', async () => {
    const { options, laws, store } = bench();
    const session = await openSession(options);
    laws.check(await session.main.prompt('First words.'), session.main);
    await session.main.response(answer([say('ok')]));
    await session.close();
    const spoiled = async (before: string, after: string) => {
      const lines = store.file(session.id);
      lines.splice(0, lines.length, ...lines.map((line) => line.replace(before, after)));
      const again = await openSession({ ...options, resume: session.id });
      const step = await again.main.prompt(`After ${after}`);
      await again.main.response(answer([say('ok')]));
      await again.close();
      return step.plan.moved?.at.message;
    };
    expect(await spoiled('First words.', 'F1rst words.')).toBe(0);
    expect(await spoiled('After F1rst', 'After first')).toBe(2);
  });

  test('is none when nothing was changed, or only what was never sent', async () => {
    expect((await (await reopened((line) => line)).main.prompt('Fourth.')).plan.moved).toBeNull();
    const last = await reopened((line) => line.replace('To: Third words.', 'To: Third w0rds.'));
    expect((await last.main.prompt('Fourth.')).plan.moved).toBeNull();
  });

  test('is found again when the history is spoilt a second time', async () => {
    const own = bench();
    const session = await reopened((line) => line.replace('First words.', 'First w0rds.'), own);
    await session.main.prompt('Fourth words.');
    await session.close();
    const lines = own.store.file(session.id);
    lines.splice(0, lines.length, ...lines.map((line) => line.replace('"Second words."', '"Second w0rds."')));
    const again = await openSession({ ...own.options, resume: session.id });
    expect((await again.main.prompt('Fifth words.')).plan.moved?.at.message).toBe(2);
  });

  test('is said to begin at the last message sent where the digests of single messages are lost', async () => {
    const session = await reopened((line) => line.replace('First words.', 'First w0rds.').replace(/"added":\[[^\]]*\]/, '"added":[]'));
    expect((await session.main.prompt('Fourth words.')).plan.moved?.at.message).toBe(4);
  });

  test('is found when a message is gone', async () => {
    const session = await reopened((line) => (line.includes('"Second words."') ? '' : line));
    expect((await session.main.prompt('Fourth.')).plan.moved?.at.message).toBe(2);
  });
});
