import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import { readTranscript } from '../session/read-transcript.js';
import type { SessionOptions } from '../session/session.js';
import { answer, FakeClock, MemoryStore, say, testPorts } from '../testing/index.js';
import type { Fold } from '../transcript/fold.js';
import type { AssistantMessage } from '../transcript/records.js';
import { accountOf } from './account.js';
import { profileOf } from './profiles.js';

type Counts = readonly [read: number, write: number, fresh: number];

const usage = ([read, write, fresh]: Counts): AssistantMessage['usage'] => ({
  input_tokens: fresh,
  output_tokens: 5,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write,
});

async function bench(more: Partial<SessionOptions> = {}) {
  const clock = new FakeClock();
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: [],
    system: 'x',
    store: new MemoryStore(),
    ports: testPorts(clock),
    kinds: [],
    ...more,
  });
  const turn = async (counts: Counts, reason?: string) => {
    await session.main.prompt('Go on.');
    const diagnostics = reason === undefined ? {} : { diagnostics: { cache_miss_reason: { type: reason } } };
    await session.main.response({ ...answer([say('fine')]), usage: usage(counts), ...diagnostics });
  };
  const accounts = () => accountOf(session.main.transcript, profileOf);
  return { clock, session, turn, accounts };
}

test('what was written is read: as predicted, whatever was added', async () => {
  const { turn, accounts } = await bench();
  await turn([0, 5_000, 2]);
  await turn([5_000, 300, 2]);
  expect(accounts().map(({ cause, predicted, difference }) => ({ cause, predicted, difference }))).toEqual([
    { cause: 'start', predicted: { read: 0, write: 5_002 }, difference: null },
    { cause: null, predicted: { read: 5_000, write: 302 }, difference: null },
  ]);
});

test('a pause longer than the entry lives has expired it; the next entries live for an hour', async () => {
  const { turn, accounts, clock } = await bench();
  await turn([0, 5_000, 2]);
  clock.advance(7 * 60_000);
  await turn([0, 5_300, 2]);
  clock.advance(50 * 60_000);
  await turn([5_300, 300, 2]);
  const [, second, third] = accounts();
  expect(second?.difference).toEqual({
    type: 'expired',
    tokens: 5_000,
    text: '7 minutes after the request before it; its entry lived 5',
    usd: expect.closeTo((5_000 * (5 - 0.2)) / 1_000_000, 9),
  });
  expect(third?.difference).toBeNull();
});

test('the provider is quoted where nothing here explains it, and it is said where nobody can', async () => {
  const { turn, accounts } = await bench();
  await turn([0, 5_000, 2]);
  await turn([0, 5_300, 2], 'messages_changed');
  await turn([0, 5_600, 2]);
  const [, second, third] = accounts();
  expect(second).toMatchObject({ providerReason: 'messages_changed', difference: { type: 'provider', tokens: 5_000 } });
  expect(third?.difference).toMatchObject({ type: 'unexplained', tokens: 5_300 });
});

test('a short prompt is below the minimum, and an entry of someone else is shared', async () => {
  const short = await bench();
  await short.turn([0, 0, 300]);
  expect(short.accounts()[0]?.difference).toMatchObject({ type: 'below-minimum', tokens: 0 });
  const shared = await bench();
  await shared.turn([4_000, 1_000, 2]);
  expect(shared.accounts()[0]?.difference).toMatchObject({ type: 'shared', tokens: 4_000, usd: expect.any(Number) });
});

test('after a request without an answer the one before it counts', async () => {
  const { turn, accounts, session } = await bench();
  await turn([0, 5_000, 2]);
  await session.main.prompt('Lost.');
  await session.main.interrupt('no connection');
  await turn([5_000, 300, 2]);
  expect(accounts().map(({ difference }) => difference)).toEqual([null, null]);
});

test('a new prefix begins at nothing and says why; without marks nothing is predicted', async () => {
  const { turn, accounts, session } = await bench();
  await turn([0, 5_000, 2]);
  await session.set('effort', 'low');
  await turn([0, 5_300, 2]);
  expect(accounts()[1]).toMatchObject({ cause: 'effort', predicted: { read: 0, write: 5_302 }, difference: null });
  const off = await bench({ cache: { mode: 'off' } });
  await off.turn([0, 0, 5_000]);
  expect(off.accounts()[0]).toMatchObject({ predicted: { read: 0, write: 0 }, difference: null });
});

test('servers that report no cache have no account', async () => {
  const { session, accounts } = await bench();
  await session.main.prompt('Go.');
  const counts = { input_tokens: 9, output_tokens: 5, cache_read_input_tokens: null, cache_creation_input_tokens: null };
  await session.main.response({ ...answer([say('fine')]), usage: counts });
  expect(accounts()).toEqual([]);
});

test('a line that was edited has moved the prefix, and the account names it', async () => {
  const store = new MemoryStore();
  const { turn, session } = await bench({ store });
  await turn([0, 5_000, 2]);
  await session.close();
  const lines = store.file(session.id);
  const at = lines.findIndex((line) => line.includes('Go on.'));
  lines[at] = (lines[at] ?? '').replace('Go on.', 'Go off.');
  const resumed = await bench({ store, resume: session.id });
  await resumed.turn([0, 5_300, 2]);
  expect(resumed.accounts()[1]?.difference).toMatchObject({ type: 'moved', tokens: 5_000, text: expect.stringContaining('prompt human') });
});

test('a request that left before the one it begins with was answered could not read it', async () => {
  const store = new MemoryStore();
  const { turn, session } = await bench({ store });
  await turn([0, 5_000, 2]);
  await turn([0, 5_300, 2]);
  const { records } = await readTranscript(store, session.id);
  const first = records.find(({ type }) => type === 'assistant');
  const late = records.map((record) => (record === first ? { ...record, at: '2026-10-22T09:00:01.000Z' } : record));
  const read = <S>(fold: Fold<S>): S => late.filter(({ type }) => fold.on.includes(type)).reduce(fold.step, fold.initial());
  expect(accountOf({ read }, profileOf)[1]?.difference).toMatchObject({ type: 'not-yet-readable', tokens: 5_000 });
});
