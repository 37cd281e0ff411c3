/** A long session holds the texts of its window alone, and finds the others again when it goes back. */
import { expect, test } from 'vitest';
import { answer, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import type { Fold } from '../transcript/fold.js';
import type { TranscriptRecord } from '../transcript/records.js';
import { openSession } from './open-session.js';
import type { Session } from './session.js';

const LONG = 'a line of words\n'.repeat(500);

const open = (store: MemoryStore, resume?: string) =>
  openSession({ model: 'claude-opus-5', tools: [], system: 'You help.', store, kinds: [], ports: testPorts(), resume });

async function ask({ main }: Session, words: string, laws = new LawChecker()): Promise<string> {
  const { request } = laws.check(await main.prompt(`${words} ${LONG}`), main);
  await main.response(answer([say(`Of ${words}: ${LONG}`)], 'claude-opus-5'));
  return JSON.stringify(request.messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
}

/** Two windows; gives the record after the second turn, and what was sent then. */
async function twoWindows(session: Session) {
  const laws = new LawChecker();
  await ask(session, 'one', laws);
  const sent = await ask(session, 'two', laws);
  const head = session.main.transcript.head ?? '';
  await ask(session, 'three', laws);
  await session.main.compact([{ type: 'text', text: 'They counted.' }], null);
  await ask(session, 'four', laws);
  return { head, sent };
}

const chain: Fold<{ readonly list: TranscriptRecord[] }> = {
  name: 'test-chain',
  scope: 'chain',
  on: ['user', 'assistant'],
  initial: () => ({ list: [] }),
  step: (state, record) => ({ list: [...state.list, record] }),
};
const read = (session: Session): readonly TranscriptRecord[] => session.main.transcript.read(chain).list;
const size = (session: Session) => JSON.stringify(read(session)).length;

test('texts behind a boundary are not held, in a living session and in a resumed one', async () => {
  const store = new MemoryStore();
  const session = await open(store);
  await twoWindows(session);
  expect(read(session)).toHaveLength(9);
  expect(size(session)).toBeLessThan(4 * LONG.length);
  expect(session.main.transcript.window).toHaveLength(4);
  await session.close();
  const resumed = await open(store, session.id);
  expect(read(resumed)).toHaveLength(9);
  expect(size(resumed)).toBeLessThan(4 * LONG.length);
  await resumed.close();
});

test.each([false, true])('a rewind to before a boundary sends what was sent there (resumed: %s)', async (again) => {
  const store = new MemoryStore();
  const first = await open(store);
  const { head, sent } = await twoWindows(first);
  if (again) await first.close();
  const session = again ? await open(store, first.id) : first;
  await session.main.rewind(head);
  const now = await ask(session, 'other');
  expect(now.startsWith(sent.slice(0, -1))).toBe(true);
  expect(now).toContain(`Of two: ${LONG}`.replaceAll('\n', '\\n'));
  await session.close();
  // The rewind was stored: a later run finds the texts, too.
  const later = await open(store, first.id);
  expect((await ask(later, 'last')).startsWith(now.slice(0, -1))).toBe(true);
  await later.close();
});

test('a kept tail keeps its texts through several boundaries', async () => {
  const store = new MemoryStore();
  const session = await open(store);
  const laws = new LawChecker();
  await ask(session, 'one', laws);
  const kept = session.main.transcript.window.find(({ type }) => type === 'user')?.id ?? null;
  for (const words of ['two', 'three']) {
    await session.main.compact([{ type: 'text', text: 'They counted.' }], kept);
    await ask(session, words, laws);
  }
  await session.close();
  const resumed = await open(store, session.id);
  const sent = await ask(resumed, 'four');
  for (const words of ['one', 'two', 'three']) expect(sent).toContain(`Of ${words}: a line`);
  await resumed.close();
});

test('windows come and go without anything being unpacked; a rewind inside a window finds all that was told before it', async () => {
  let [packed, unpacked] = [0, 0];
  const ports = testPorts();
  const packing = {
    pack: (text: string) => (packed++, ports.packing.pack(text)),
    unpack: (part: Uint8Array) => (unpacked++, ports.packing.unpack(part)),
  };
  const session = await openSession({
    model: 'claude-opus-5',
    tools: [],
    system: 'You help.',
    store: new MemoryStore(),
    ports: { ...ports, packing },
  });
  const { main } = session;
  for (const words of ['one', 'two', 'three', 'four']) {
    await ask(session, words);
    await main.steer(`by the way: ${words}`);
    await ask(session, `more of ${words}`);
    await main.compact([{ type: 'text', text: `They said ${words}.` }], null);
  }
  await ask(session, 'five');
  expect([packed, unpacked]).toEqual([4, 0]);
  expect(main.steered).toEqual([]);
  const head = main.transcript.head ?? '';
  const before = read(session).map(({ id }) => id);
  expect(unpacked).toBe(4);
  await ask(session, 'six');
  await main.rewind(head);
  expect(read(session).map(({ id }) => id)).toEqual(before);
  await ask(session, 'seven');
  await main.compact([{ type: 'text', text: 'All of it.' }], null);
  expect(packed).toBe(5);
  expect(main.steered).toEqual([]);
  await session.close();
});
