/** Marks against a cache that works as the provider's: entries only where a mark was, found only within 20 blocks before one. */
import { expect, test } from 'vitest';
import { dateChange } from '../attachments/kinds/date-change.js';
import { answer, bare, call, FakeClock, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from '../session/open-session.js';
import type { SessionOptions } from '../session/session.js';
import { headOf, type Head } from './head.js';
import { planMarks } from './marks.js';
import { placesOfMarks, checkMarks } from './validate-marks.js';
import type { MessagesBody, WireMessage } from './wire.js';

const LOOK_BACK = 20;

/** Identity: the entries that were written. */
class Cache {
  readonly #written = new Set<string>();

  /** Characters of blocks that are read and in all. */
  send(body: MessagesBody): { readonly read: number; readonly all: number } {
    const blocks: object[] = [...body.system, ...body.messages.flatMap((message): object[] => message.content)];
    const prefixes = blocks.map((_, end) => bare(blocks.slice(0, end + 1)));
    const marks = blocks.flatMap((block, at) => ('cache_control' in block && block.cache_control !== undefined ? [at] : []));
    if (body.cache_control !== undefined) marks.push(blocks.length - 1);
    const found = marks.flatMap((mark) =>
      Array.from({ length: LOOK_BACK }, (_, back) => mark - back).filter((at) => this.#written.has(prefixes[at] ?? '')),
    );
    const sizeOf = (end: number) => (prefixes[end] ?? '').length;
    for (const mark of marks) this.#written.add(prefixes[mark] ?? '');
    return { read: Math.max(0, ...found.map(sizeOf)), all: sizeOf(blocks.length - 1) };
  }
}

const TOOL = { name: 'Read', description: 'Reads.', input_schema: { type: 'object' as const } };

async function open(mode: NonNullable<SessionOptions['cache']>['mode'], clock = new FakeClock(), kinds: SessionOptions['kinds'] & {} = []) {
  const system = [
    { name: 'rules', text: 'Be good.', static: true },
    { name: 'environment', text: 'Here.', static: false },
  ];
  return openSession({
    model: 'claude-opus-5-5',
    tools: [TOOL],
    system,
    store: new MemoryStore(),
    ports: testPorts(clock),
    kinds,
    cache: { mode: mode ?? 'planned' },
  });
}

test.each(['planned', 'automatic'] as const)('%s: a step of 60 blocks still reads all that was written before it', async (mode) => {
  const { main } = await open(mode);
  const laws = new LawChecker();
  const cache = new Cache();
  let sent = cache.send(laws.check(await main.prompt('Go.'), main).request);
  for (const count of [1, 60, 60, 3]) {
    const calls = await main.response(answer(Array.from({ length: count }, (_, n) => call('Read', { n }))));
    await Promise.all(calls.map(({ id }) => main.result(id, `text of ${id}`)));
    const { request, plan } = laws.check(await main.next(), main);
    const now = cache.send(request);
    expect(now.read).toBe(sent.all);
    expect(plan.marks.length).toBeLessThanOrEqual(4);
    sent = now;
  }
});

test('what another thread was told at its beginning is read by one that begins alike and goes on otherwise', async () => {
  const cache = new Cache();
  const [first, second] = [await open('planned', new FakeClock(), [dateChange]), await open('planned', new FakeClock(), [dateChange])];
  cache.send((await first.main.prompt('Look at a.')).request);
  const { request, plan } = await second.main.prompt('Look at b.');
  expect(plan.marks.map(({ why }) => why)).toEqual(['boundary', 'system', 'opening', 'newest']);
  expect(cache.send(request).read).toBe(bare([...request.system, ...(request.messages[0]?.content ?? []).slice(0, -1)]).length);
});

test('automatic: the newest mark is left to the provider, beside at most three, all with one life', async () => {
  const clock = new FakeClock();
  const { main } = await open('automatic', clock);
  const laws = new LawChecker();
  expect(laws.check(await main.prompt('One.'), main).request.cache_control).toEqual({ type: 'ephemeral' });
  await main.response(answer([say('Fine.')]));
  clock.advance(6 * 60_000);
  const { request, plan } = laws.check(await main.prompt('Two. '.repeat(1_000)), main);
  expect(request.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
  expect(placesOfMarks(request)).toHaveLength(3);
  expect(plan.marks.map(({ why }) => why)).toEqual(['boundary', 'system', 'last-written', 'newest']);
  expect(plan.expected.write1h).toBeGreaterThan(0);
});

test('the automatic mark counts as a fifth one, and must not outlive those before it', async () => {
  const { main } = await open('planned');
  const answeredOnce = await main.prompt('One.');
  await main.response(answer([say('Fine.')]));
  const { request } = await main.prompt('Two.');
  const rules = (body: MessagesBody) => {
    const found: string[] = [];
    checkMarks(body, placesOfMarks(body), (_, rule) => found.push(rule));
    return found;
  };
  expect(rules(request)).toEqual([]);
  expect(rules({ ...request, cache_control: { type: 'ephemeral' } })).toEqual(['mark-count']);
  const first = answeredOnce.request;
  expect(rules({ ...first, cache_control: { type: 'ephemeral', ttl: '1h' } })).toContain('mark-order');
});

test('no block is marked twice: where all of the system is static, and where the newest block is the one written last', () => {
  const section = (name: string, isStatic: boolean) => ({ name, text: name, static: isStatic });
  const headWith = (...statics: readonly boolean[]) =>
    headOf({
      id: 'p',
      model: 'claude-opus-5-5',
      params: {},
      tools: [],
      system: statics.map((isStatic, at) => section(`s${at}`, isStatic)),
    });
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'a' }] }];
  const lastWritten = { section: 'messages' as const, message: 0, block: 0 };
  const whys = (head: Head) => planMarks({ head, messages, lastWritten, ttl: '5m' }).map(({ why }) => why);
  expect(whys(headWith(true, true))).toEqual(['system', 'newest']);
  expect(whys(headWith(true, false))).toEqual(['boundary', 'system', 'newest']);
  expect(whys(headWith(false))).toEqual(['system', 'newest']);
});

test('before the typed words a mark stands only in a window of one message: later ones are of this thread alone', () => {
  const text = (words: string) => ({ type: 'text' as const, text: words });
  const first = { role: 'user' as const, content: [text('told'), text('typed')] };
  const head = headOf({ id: 'p', model: 'claude-opus-5-5', params: {}, tools: [], system: [] });
  const whys = (messages: readonly WireMessage[]) => planMarks({ head, messages, lastWritten: null, ttl: '5m' }).map(({ why }) => why);
  expect(whys([first])).toEqual(['opening', 'newest']);
  expect(whys([first, { role: 'assistant', content: [text('b')] }, { role: 'user', content: [text('c')] }])).toEqual(['newest']);
});
