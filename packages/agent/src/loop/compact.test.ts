import { viewsFold, type AssistantMessage, type FileView, type MessagesBody } from '@sidenote/engine';
import { answer, bare, call, say } from '@sidenote/engine/testing';
import { expect, test } from 'vitest';
import { drain, ended, fails, hangs, resultOf, setUp, stopped, text, tool, type Reply } from './agent.testing.js';
import type { AgentEvent } from './events.js';
import type { Hooks } from './hooks.js';
import { recordedHooks, said } from './hooks.testing.js';

/** An answer after which the window holds so many tokens. */
const full = (tokens: number, ...blocks: Parameters<typeof answer>[0]): Reply =>
  async function* () {
    const message: AssistantMessage = { ...answer(blocks), usage: { ...answer([]).usage, input_tokens: tokens } };
    yield { type: 'response-ended', message };
  };
const tooLong = fails({ type: 'too-long', message: 'prompt is too long.' });
const FULL = 950_000;

const asksForSummary = (body: MessagesBody | undefined): boolean => /replaced by a summary/.test(bare(body?.messages.at(-1)));
const endsOf = (events: readonly AgentEvent[]) => events.flatMap((event) => (event.type === 'compaction-ended' ? [event.result] : []));
const outcomes = (events: readonly AgentEvent[]) => endsOf(events).map(({ trigger, outcome }) => `${trigger} ${outcome}`);

test('a window that is nearly full is compacted before the next prompt, once per filling', async () => {
  const { agent, sent } = await setUp([full(FULL, say('one')), ended(say('SUM-TEAL')), full(FULL, say('two')), ended(say('three'))]);
  await drain(agent.run('first'));
  const events = await drain(agent.run('second'));
  expect(outcomes(events)).toEqual(['auto summarised']);
  expect(sent.map(asksForSummary)).toEqual([false, true, false]);
  expect(bare(sent[2]?.messages)).toContain('SUM-TEAL');
  // What was full at once would be full again.
  const third = await drain(agent.run('third'));
  expect(outcomes(third)).toEqual([]);
  expect(third).toContainEqual({
    type: 'notice',
    level: 'warning',
    text: expect.stringMatching(/nearly full.*would not help.*system prompt and tools/),
  });
  expect(sent).toHaveLength(4);
});

test('the summary is asked on the window as it was sent: nothing moved', async () => {
  const { agent, sent } = await setUp([full(FULL, say('one')), ended(say('sum'))]);
  await drain(agent.run('first'));
  await drain(agent.run('second'));
  expect(bare(sent[1]?.messages.slice(0, sent[0]?.messages.length))).toBe(bare(sent[0]?.messages));
  expect(bare([sent[1]?.system, sent[1]?.tools])).toBe(bare([sent[0]?.system, sent[0]?.tools]));
});

test('inside a turn, the newest calls keep their results, and the turn goes on', async () => {
  const read = tool('Read', 'read', async () => text('result text'));
  const { agent, sent } = await setUp(
    [ended(call('Read', {}, 'A')), full(FULL, call('Read', {}, 'B')), ended(say('SUM-TEAL')), ended(say('all done'))],
    { tools: [read] },
  );
  const events = await drain(agent.run('do it all'));
  expect(outcomes(events)).toEqual(['auto summarised']);
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'all done' });
  const last = bare(sent[3]?.messages);
  expect(last).toContain('"tool_use_id":"B"');
  expect(last).not.toContain('"tool_use_id":"A"');
  expect(last).toContain('do it all');
});

test('what stands against it is asked once in a turn', async () => {
  const read = tool('Read', 'read', async () => text('result text'));
  const { hooks, calls } = recordedHooks({ PreCompact: () => ({ blocks: [said('PreCompact', 'not now')] }) });
  const { agent } = await setUp(
    [ended(call('Read', {}, 'A')), full(FULL, call('Read', {}, 'B')), full(FULL, call('Read', {}, 'C')), ended(say('done'))],
    { tools: [read], hooks },
  );
  const events = await drain(agent.run('go'));
  expect(outcomes(events)).toEqual(['auto refused']);
  expect(calls.filter(({ event }) => event === 'PreCompact')).toHaveLength(1);
  expect(resultOf(events)?.text).toBe('done');
});

test('words that are steered in while it compacts are part of the next request', async () => {
  const read = tool('Read', 'read', async () => text('result text'));
  const { agent, sent } = await setUp([ended(call('Read', {})), full(FULL, call('Read', {}, 'B')), ended(say('sum')), ended(say('done'))], {
    tools: [read],
  });
  for await (const event of agent.run('go')) if (event.type === 'compaction-started') await agent.steer('STEER-PLUM');
  expect(bare(sent[3]?.messages)).toContain('STEER-PLUM');
});

test('a request that is refused as too long is compacted, and the same turn goes on; a second refusal ends it with advice', async () => {
  const start = [ended(say('one')), tooLong, ended(say('SUM-TEAL'))];
  const good = await setUp([...start, ended(say('two'))]);
  await drain(good.agent.run('first'));
  const events = await drain(good.agent.run('SECOND-OAK'));
  expect(outcomes(events)).toEqual(['overflow summarised']);
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'two' });
  expect(bare(good.sent[3]?.messages)).toMatch(/SUM-TEAL.*SECOND-OAK/);

  const bad = await setUp([...start, tooLong, ended(say('three'))]);
  await drain(bad.agent.run('first'));
  expect(resultOf(await drain(bad.agent.run('second')))).toMatchObject({
    reason: 'failed',
    text: expect.stringContaining('nothing left to summarise'),
  });
  expect(resultOf(await drain(bad.agent.run('third')))).toMatchObject({ reason: 'done', text: 'three' });
});

test('a first prompt that is too long has nothing that could be summarised', async () => {
  const { agent, sent } = await setUp([tooLong]);
  const events = await drain(agent.run('first'));
  expect(outcomes(events)).toEqual(['overflow nothing']);
  expect(resultOf(events)).toMatchObject({ reason: 'failed', text: expect.stringContaining('system prompt and tools') });
  expect(sent).toHaveLength(1);
});

test('a first prompt that is too long gives way to the next one: the session goes on', async () => {
  const { agent, sent } = await setUp([tooLong, tooLong, ended(say('SUM-TEAL')), ended(say('two'))]);
  await drain(agent.run(`HUGE-ELM ${'words '.repeat(50_000)}`));
  const events = await drain(agent.run('NEXT-OAK'));
  expect(outcomes(events)).toEqual(['overflow summarised']);
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'two' });
  expect(bare(sent[3]?.messages)).toMatch(/SUM-TEAL.*NEXT-OAK/);
  expect(bare(sent[3]?.messages)).not.toContain('HUGE-ELM');
});

test('so does one for which a conversation was summarised in vain', async () => {
  const start = [full(FULL, say('one')), ended(say('SUM-ASH')), tooLong];
  const { agent, sent } = await setUp([...start, tooLong, ended(say('SUM-TEAL')), ended(say('two'))]);
  await drain(agent.run('first'));
  const refused = await drain(agent.run(`HUGE-ELM ${'words '.repeat(900_000)}`));
  expect(outcomes(refused)).toEqual(['auto summarised']);
  expect(resultOf(refused)).toMatchObject({
    reason: 'failed',
    text: expect.stringMatching(/said last holds about [\d,]+ tokens: put it into a file/),
  });
  const events = await drain(agent.run('NEXT-OAK'));
  expect(outcomes(events)).toEqual(['overflow summarised']);
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'two' });
  expect(bare(sent.at(-1)?.messages)).not.toContain('HUGE-ELM');
});

test('where even asking is too long, a copy without the oldest results asks', async () => {
  const read = tool('Read', 'read', async () => text('OLD-RESULT '.repeat(5_000)));
  const { agent, sent } = await setUp([ended(call('Read', {})), ended(say('one')), tooLong, ended(say('SUM-TEAL'))], { tools: [read] });
  await drain(agent.run('first'));
  const events = await drain(agent.compact());
  expect(outcomes(events)).toEqual(['manual summarised']);
  expect(bare(sent[2]?.messages)).toContain('OLD-RESULT');
  expect(bare(sent[3]?.messages)).not.toContain('OLD-RESULT');
  expect(bare(sent[3]?.messages)).toContain('left out of this copy');
});

test.each([
  ['nothing but calls', ended(call('Read', {}))],
  ['a refusal', stopped('refusal')],
  ['too long, however short the copy', tooLong],
])('without a summary by the model (%s) the record gives one', async (_why, reply) => {
  const { agent, sent } = await setUp(
    [ended(say('ANSWER-BIRCH')), reply, reply, reply, reply, reply].slice(0, _why.startsWith('too') ? 5 : 2),
  );
  await drain(agent.run('WORDS-ELM: never push'));
  const events = await drain(agent.compact());
  expect(outcomes(events)).toEqual(['manual plain']);
  await drain(agent.run('go on'));
  expect(bare(sent.at(-1)?.messages)).toMatch(/put together without a model.*WORDS-ELM: never push/s);
});

test('a model that can not be reached, and an interrupt, leave the session as it was', async () => {
  const fatal = fails({ type: 'fatal', status: 401, message: 'The key was refused.' });
  const { agent, sent, session } = await setUp([ended(say('one')), fatal, hangs([say('half')]), ended(say('two'))]);
  await drain(agent.run('first'));
  const { head, window } = session.main.transcript;
  const size = window.length;
  expect(outcomes(await drain(agent.compact()))).toEqual(['manual failed']);
  const interrupted = await drain(agent.compact(), (event) => {
    if (event.type === 'compaction-started') queueMicrotask(() => setImmediate(() => void agent.interrupt('Esc')));
  });
  expect(outcomes(interrupted)).toEqual(['manual interrupted']);
  expect([session.main.transcript.head, session.main.transcript.window.length]).toEqual([head, size]);
  await drain(agent.run('second'));
  expect(bare(sent.at(-1)?.messages)).not.toContain('about to be replaced by a summary');
});

test('a store that can not take the boundary leaves the session as it was, and what the summary took is said', async () => {
  const { agent, session, store } = await setUp([ended(say('one')), ended(say('SUM-TEAL')), full(FULL, say('two')), ended(say('SUM-IVY'))]);
  await drain(agent.run('first'));
  const { head } = session.main.transcript;
  const refuse = (lines: readonly string[]): void => {
    if (lines.some((line) => line.includes('compact_boundary'))) throw new Error('disk full');
  };
  store.beforeWrite = refuse;
  const [failed] = endsOf(await drain(agent.compact()));
  expect(failed).toMatchObject({ outcome: 'failed', why: 'disk full', usage: answer([]).usage });
  expect(session.main.transcript.head).toBe(head);
  store.beforeWrite = () => undefined;
  await drain(agent.run('second'));
  store.beforeWrite = refuse;
  expect(resultOf(await drain(agent.run('third')))).toMatchObject({ reason: 'failed', text: 'disk full', usage: answer([]).usage });
});

test('nothing is compacted where there is nothing, twice in a row, or when it is switched off', async () => {
  const { agent } = await setUp([ended(say('one')), ended(say('sum'))]);
  expect(outcomes(await drain(agent.compact()))).toEqual(['manual nothing']);
  await drain(agent.run('first'));
  await drain(agent.compact());
  expect(outcomes(await drain(agent.compact()))).toEqual(['manual nothing']);
  const off = await setUp([full(FULL, say('one'))], { compaction: { auto: false } });
  await drain(off.agent.run('first'));
  expect(outcomes(await drain(off.agent.run('second')))).toEqual([]);
});

test('a percentage lowers where it begins', async () => {
  const { agent } = await setUp([full(60_000, say('one')), ended(say('sum'))], { compaction: { percent: 5 } });
  await drain(agent.run('first'));
  expect(outcomes(await drain(agent.run('second')))).toEqual(['auto summarised']);
});

test("the person's wishes are part of what is asked; what it took is counted, and kept in the boundary", async () => {
  const { agent, sent, session } = await setUp([ended(say('one')), ended(say('sum'))]);
  await drain(agent.run('first'));
  const [result] = endsOf(await drain(agent.compact('keep the names of all tests')));
  expect(bare(sent[1]?.messages.at(-1))).toContain('keep the names of all tests');
  expect(result?.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
  expect(session.main.transcript.window[0]).toMatchObject({
    type: 'compact_boundary',
    trigger: 'manual',
    summary: { model: 'claude-opus-5-5' },
  });
});

test('what was seen of files counts as seen no more, unless it is in the kept tail', async () => {
  const view: FileView = { path: '/a', digest: 'd', size: 1, mtimeNs: '1', inode: '1', lines: 'all', form: 'raw' };
  const read = tool('Read', 'read', async () => ({ ...text('long text '.repeat(4_000)), effects: [{ type: 'viewed' as const, view }] }));
  const { agent, session } = await setUp([ended(call('Read', {})), ended(say('one')), ended(say('sum'))], { tools: [read] });
  await drain(agent.run('first'));
  expect(session.main.transcript.read(viewsFold).size).toBe(1);
  const events = await drain(agent.compact());
  expect(events.find(({ type }) => type === 'compaction-started')).toMatchObject({
    survives: expect.arrayContaining([expect.objectContaining({ name: 'recent files: /a' })]),
  });
  expect(session.main.transcript.read(viewsFold).size).toBe(0);
});

test('hooks are asked before it, add to the window that begins, and are told after it', async () => {
  const calls: string[] = [];
  const nothing = { texts: [], blocks: [], notes: [] };
  const hooksThat = (objects: boolean): Hooks => ({
    run: async ({ event, subject, fields }) => {
      calls.push(`${event} ${subject ?? ''} ${String(fields['custom_instructions'] ?? '')}`.trim());
      const said = { event, hook: 'HOOK', text: event === 'PreCompact' ? 'not now' : 'HOOK-TEXT' };
      if (event === 'PreCompact') return objects ? { ...nothing, blocks: [said] } : nothing;
      return event === 'SessionStart' ? { ...nothing, texts: [{ ...said, kind: 'hook_additional_context' }] } : nothing;
    },
    post: ({ event, fields }) => void calls.push(`${event} ${String(fields['compact_summary'])}`),
  });
  const { agent, sent } = await setUp([ended(say('one')), ended(say('SUM')), ended(say('two'))], { hooks: hooksThat(false) });
  await drain(agent.run('first'));
  calls.length = 0;
  await drain(agent.compact('wishes'));
  expect(calls).toEqual(['PreCompact manual wishes', 'SessionStart compact', 'PostCompact SUM']);
  await drain(agent.run('second'));
  expect(bare(sent.at(-1)?.messages)).toContain('HOOK-TEXT');

  const refused = await setUp([full(FULL, say('one')), ended(say('two'))], { hooks: hooksThat(true) });
  await drain(refused.agent.run('first'));
  const events = await drain(refused.agent.run('second'));
  expect(endsOf(events)).toMatchObject([{ outcome: 'refused', why: 'the hook HOOK objects: not now' }]);
  expect(resultOf(events)).toMatchObject({ reason: 'done', text: 'two' });
});
