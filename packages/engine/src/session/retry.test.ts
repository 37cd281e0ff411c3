import { expect, test } from 'vitest';
import { defineAttachment, lastOf } from '../attachments/contract.js';
import { answer, bare, call, LawChecker, MemoryStore, say, testPorts, think } from '../testing/index.js';
import type { PrefixRecord } from '../transcript/records.js';
import { ThreadStateError } from './errors.js';
import { openSession } from './open-session.js';
import type { Session, SessionOptions } from './session.js';

const news = defineAttachment({
  kind: 'news',
  version: 1,
  group: 'thread',
  wait: 'may',
  trust: 'client',
  needs: [],
  told: lastOf('news', () => true),
  decode: (data) => data,
  collect: ({ trigger }) => (trigger === 'tool_results' ? { type: 'new', data: {} } : { type: 'nothing' }),
  render: () => ({ content: [{ type: 'text', text: 'NEWS' }] }),
  title: () => 'news',
  reason: () => 'there is some',
});

async function bench(store = new MemoryStore(), resume?: string, more: Partial<SessionOptions> = {}) {
  store.release();
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: [],
    system: 'x',
    store,
    ports: testPorts(),
    kinds: [news],
    reminders: { delivery: 'system-message' },
    resume,
    ...more,
  });
  return { store, session, laws: new LawChecker() };
}

/** A turn up to the request after one call. */
async function working(session: Session, laws: LawChecker) {
  laws.check(await session.main.prompt('Go.'), session.main);
  const [one] = await session.main.response(answer([think('hm'), call('Read', {})]));
  await session.main.result(one?.id ?? '', 'text');
  return laws.check(await session.main.next(), session.main);
}

const prefix = (session: Session) => session.main.transcript.window.findLast((record): record is PrefixRecord => record.type === 'prefix');

test('refused signatures: the same messages without the thinking so far; new thinking is kept', async () => {
  const { session, laws, store } = await bench();
  const first = await working(session, laws);
  expect(bare(first.request)).toContain('"thinking":"hm"');
  const again = laws.check(await session.main.retry({ cause: 'provider-refused', without: 'thinking' }), session.main);
  expect(again.plan.ancestor).toBeNull();
  expect(bare(again.request.messages)).not.toContain('"thinking":"hm"');
  expect(session.main.state).toBe('ready');
  await session.main.response(answer([think('new'), say('done')]));
  const next = laws.check(await session.main.prompt('On.'), session.main);
  expect(bare(next.request)).toContain('"thinking":"new"');
  expect(bare(next.request.messages)).not.toContain('"thinking":"hm"');
  expect(next.plan.ancestor).toBe(again.plan.id);
  await session.main.response(answer([say('done')]));
  await session.close();
  const resumed = await bench(store, session.id);
  const later = resumed.laws.check(await resumed.session.main.prompt('And on.'), resumed.session.main);
  expect(later.plan.moved).toBeNull();
  expect(prefix(resumed.session)).toMatchObject({ cause: 'provider-refused', without: ['thinking'] });
});

test('a refused role: what was a system message goes inside the result, and stays so under later prefixes', async () => {
  const { session, laws } = await bench();
  const first = await working(session, laws);
  expect(first.request.messages.at(-1)?.role).toBe('system');
  const again = laws.check(await session.main.retry({ cause: 'provider-refused', without: 'system-message' }), session.main);
  expect(again.request.messages.map(({ role }) => role)).not.toContain('system');
  expect(bare(again.request)).toContain('NEWS');
  await session.main.response(answer([say('done')]));
  await session.set('effort', 'low');
  const next = await working(session, laws);
  expect(next.request.messages.map(({ role }) => role)).not.toContain('system');
});

test('what was refused before stays out when something else is refused', async () => {
  const { session, laws } = await bench();
  await working(session, laws);
  await session.main.retry({ cause: 'provider-refused', without: 'system-message' });
  const again = laws.check(await session.main.retry({ cause: 'provider-refused', without: 'thinking' }), session.main);
  expect(again.request.messages.map(({ role }) => role)).not.toContain('system');
  expect(bare(again.request.messages)).not.toContain('"thinking":"hm"');
  expect(prefix(session)?.without).toEqual(['system-message', 'thinking']);
});

test('a model that steps in stays until someone sets another one', async () => {
  const { session, laws } = await bench();
  await working(session, laws);
  const again = laws.check(await session.main.retry({ cause: 'fallback', model: 'claude-sonnet-5-5' }), session.main);
  expect(again.request.model).toBe('claude-sonnet-5-5');
  expect(bare(again.request.messages)).not.toContain('"thinking":"hm"');
  await session.main.response(answer([say('done')], 'claude-sonnet-5-5'));
  expect((await session.main.prompt('On.')).request.model).toBe('claude-sonnet-5-5');
  await session.main.response(answer([say('done')], 'claude-sonnet-5-5'));
  await session.set('model', 'claude-opus-5-5');
  expect(laws.check(await session.main.prompt('Back.'), session.main).request.model).toBe('claude-opus-5-5');
  expect(prefix(session)?.cause).toBe('model');
});

test('only a request that was planned can be made anew', async () => {
  const { session } = await bench();
  await expect(session.main.retry({ cause: 'provider-refused', without: 'thinking' })).rejects.toSatisfy(ThreadStateError.isInstance);
});

test('a kept tail goes out in a fork as it does here, what was refused left out of both', async () => {
  const kept = { model: 'claude-opus-4-6' };
  const { session, laws, store } = await bench(undefined, undefined, kept);
  await session.main.prompt('One.');
  await session.main.retry({ cause: 'provider-refused', without: 'thinking' });
  await session.main.response(answer([think('after'), say('done')], kept.model));
  const tail = session.main.transcript.window.find(({ type }) => type === 'user')?.id ?? null;
  await session.main.compact([{ type: 'text', text: 'Summary.' }], tail);
  const here = laws.check(await session.main.prompt('Two.'), session.main);
  await session.main.response(answer([say('done')], kept.model));
  await session.close();
  const fork = await bench(store, session.id, { ...kept, fork: true });
  const there = fork.laws.check(await fork.session.main.prompt('Three.'), fork.session.main);
  expect(bare(there.request.messages.slice(0, here.request.messages.length))).toBe(bare(here.request.messages));
  expect(there.plan.moved).toBeNull();
});
