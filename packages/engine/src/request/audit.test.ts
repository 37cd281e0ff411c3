/** What an audit says of each piece: why it is there, since when, how it is billed, and what is absent. */
import { expect, test } from 'vitest';
import { dateChange } from '../attachments/kinds/date-change.js';
import { openSession } from '../session/open-session.js';
import type { SessionOptions, Thread } from '../session/session.js';
import { answer, call, FakeClock, MemoryStore, say, testPorts } from '../testing/index.js';

const DAY = 86_400_000;

function bench(changes: Partial<SessionOptions> = {}) {
  const clock = new FakeClock();
  const options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: 'Be good. '.repeat(400),
    store: new MemoryStore(),
    ports: testPorts(clock),
    kinds: [dateChange],
    ...changes,
  };
  return { clock, options };
}

const summary = ({ audit }: Thread) =>
  audit.entries.map(({ owner, reason, trigger, age, cache }) => [owner.type, reason, trigger, age, cache].join(' | '));

test('each piece says why it is there, since how many requests, and whether it is read or written', async () => {
  const { clock, options } = bench();
  const session = await openSession(options);
  const thread = session.main;
  const first = await thread.prompt('One.');
  await thread.response(answer([call('Read', {}, 'A')]));
  await thread.result('A', 'text');
  clock.advance(60_000);
  const { plan } = await thread.next();
  expect(summary(thread)).toMatchInlineSnapshot(`
    [
      "tool | offered since the prefix | start | 1 | read",
      "tool | offered since the prefix | start | 1 | read",
      "tool | offered since the prefix | start | 1 | read",
      "section | prefix: start | start | 1 | read",
      "attachment | not told yet in this window | prompt | 1 | read",
      "prompt | typed | prompt | 1 | read",
      "answer | the model answered | model | 0 | written",
      "answer | the model answered | model | 0 | written",
      "result | the model called a tool | tool_results | 0 | written",
    ]
  `);
  const { entries } = thread.audit;
  expect(entries.find(({ owner }) => owner.type === 'prompt')?.firstSent).toBe(first.plan.id);
  expect(entries.find(({ owner }) => owner.type === 'result')?.firstSent).toBe(plan.id);
  const written = entries.filter(({ cache }) => cache === 'written');
  for (const { tokens, usd } of written) expect(usd).toBeCloseTo((tokens * 5) / 1_000_000, 9);
  for (const { tokens, usd, cache } of entries) if (cache === 'read') expect(usd).toBeCloseTo((tokens * 0.2) / 1_000_000, 9);
});

test('after a compaction in mid-turn it is the compaction that put things there', async () => {
  const { options } = bench();
  const thread = (await openSession(options)).main;
  await thread.prompt('One.');
  await thread.response(answer([call('Read', {}, 'A')]));
  await thread.result('A', 'text');
  await thread.compact([{ type: 'text', text: 'They said one.' }], null);
  expect(summary(thread).filter((line) => !/^(?:section|tool)/.test(line))).toMatchInlineSnapshot(`
    [
      "attachment | not told yet in this window | compaction | 0 | written",
      "summary | compaction | compaction | 0 | written",
    ]
  `);
});

test('a request that is too short for a cache is fresh, and so it is where marks are off', async () => {
  for (const changes of [{ system: 'Short.' }, { cache: { mode: 'off' as const } }]) {
    const thread = (await openSession(bench(changes).options)).main;
    const { plan } = await thread.prompt('One.');
    const { read, write5m, write1h, fresh } = plan.expected;
    expect([read, write5m, write1h]).toEqual([0, 0, 0]);
    expect(fresh).toBeGreaterThan(0);
    expect(new Set(thread.audit.entries.map(({ cache }) => cache))).toEqual(new Set(['fresh']));
  }
});

test('the price is that of long prompts only when the whole prompt is long, and null where none is known', async () => {
  const usd = async (model: string, words: string) => {
    const thread = (await openSession(bench({ model }).options)).main;
    await thread.prompt(words);
    const section = thread.audit.entries.find(({ owner }) => owner.type === 'section');
    return section?.usd === null || section === undefined ? null : (section.usd * 1_000_000) / section.tokens;
  };
  expect(await usd('claude-haiku-5-5', 'short')).toBeCloseTo(0.125);
  expect(await usd('claude-haiku-5-5', 'long '.repeat(90_000))).toBeCloseTo(0.625);
  expect(await usd('someone-elses', 'short')).toBeNull();
});

test('absent is what was off, late, failed or cut, not what had nothing to say', async () => {
  const { options } = bench({ off: { date_change: 'for this test' } });
  const off = (await openSession(options)).main;
  await off.prompt('One.');
  expect(off.audit.absent).toEqual([{ kind: 'date_change', outcome: 'off', ms: 0, why: 'for this test' }]);

  const thread = (await openSession(bench().options)).main;
  await thread.prompt('One.');
  await thread.response(answer([say('First.')]));
  expect((await thread.prompt('Two.')).report).toMatchObject([{ outcome: 'nothing' }]);
  expect(thread.audit.absent).toEqual([]);
});

test('of a preview it knows the records that are nowhere else', async () => {
  const thread = (await openSession(bench().options)).main;
  await thread.preview('Hello?');
  expect(summary(thread).filter((line) => /^(?:attachment|prompt)/.test(line))).toEqual([
    'attachment | not told yet in this window | prompt | 0 | written',
    'prompt | typed | prompt | 0 | written',
  ]);
});

test('what was sent in another session of the store ages on after a resume', async () => {
  const { clock, options } = bench();
  const session = await openSession(options);
  await session.main.prompt('One.');
  await session.main.response(answer([say('First.')]));
  await session.close();
  clock.advance(DAY);
  const again = (await openSession({ ...options, resume: session.id })).main;
  await again.prompt('Two.');
  const prompts = again.audit.entries.filter(({ owner }) => owner.type === 'prompt');
  expect(prompts.map(({ age, cache }) => [age, cache])).toEqual([
    [1, 'written'],
    [0, 'written'],
  ]);
});
