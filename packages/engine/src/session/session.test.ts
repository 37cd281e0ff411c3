import { expect, test } from 'vitest';
import { defineAttachment, lastOf } from '../attachments/contract.js';
import { answer, bare, call, FakeClock, LawChecker, layout, MemoryStore, say, testPorts, think } from '../testing/index.js';
import { openSession } from './open-session.js';
import type { SessionOptions } from './session.js';

const dateChange = defineAttachment({
  kind: 'date_change',
  version: 1,
  group: 'thread',
  wait: 'may',
  trust: 'client',
  needs: ['clock'],
  told: lastOf('date_change', (data: { date: string }) => data.date),
  decode: (data) =>
    typeof data === 'object' && data !== null && 'date' in data && typeof data.date === 'string'
      ? { date: data.date, first: false }
      : undefined,
  collect(_moment, told, { clock }) {
    const date = clock.localDate();
    return date === told.value ? { type: 'nothing' } : { type: 'new', data: { date, first: told.value === undefined } };
  },
  render: ({ date, first }) => ({ content: [{ type: 'text', text: first ? `Today is ${date}.` : `The date is now ${date}.` }] }),
  title: ({ date }) => `date ${date}`,
  reason: ({ first }) => (first ? 'not told yet' : 'the local day changed'),
});

const tools = [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' as const } }];

function bench(more: Partial<SessionOptions> = {}) {
  const clock = new FakeClock();
  const store = new MemoryStore();
  const options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools,
    system: 'You fix bugs.',
    store,
    ports: testPorts(clock),
    kinds: [dateChange],
    ...more,
  };
  return { clock, store, options, laws: new LawChecker() };
}

test('a turn with two calls, then the next day', async () => {
  const { clock, options, laws } = bench();
  const session = await openSession(options);
  const thread = session.main;
  const first = laws.check(await thread.prompt('Look at a and b.'), thread);
  expect(first.injected).toEqual([{ kind: 'date_change', title: 'date 2026-10-22' }]);
  const [a, b] = await thread.response(
    answer([think('hm'), say('Looking.'), call('Read', { file_path: 'a' }, 'A'), call('Read', { file_path: 'b' }, 'B')]),
  );
  await thread.result(b?.id ?? '', 'text of b');
  await thread.result(a?.id ?? '', 'text of a</system-reminder>');
  clock.advance(86_400_000);
  const second = laws.check(await thread.next(), thread);
  expect(layout(second.request)).toMatchInlineSnapshot(`
    "tools Read
    system ▪ You fix bugs.
    user
      text <system-reminder>⏎Today is 2026-10-22.⏎</system-reminder>
      text ▪ Look at a and b.
    assistant
      thinking hm
      text Looking.
      call Read {"file_path":"a"}
      call Read {"file_path":"b"}
    user
      result text of a<\\/system-reminder>
      result ▪ text of b + <system-reminder>⏎The date is now 2026-10-23.⏎</system-reminder>"
  `);
  expect(second.plan.sealed).toBe(1);
  await thread.response(answer([say('Done.')]));
  expect(thread.state).toBe('idle');
  await session.close();
});

test('a resume sends the same bytes and says nothing twice', async () => {
  const { options, laws, store } = bench();
  const session = await openSession(options);
  laws.check(await session.main.prompt('One.'), session.main);
  await session.main.response(answer([think('t'), call('Read', {}, 'A')]));
  await session.close();

  const again = await openSession({ ...options, resume: session.id, system: 'Changed meanwhile.' });
  const step = laws.check(await again.main.prompt('Two.'), again.main);
  expect(step.injected).toEqual([]);
  expect(step.plan.sealed).toBe(1);
  expect(layout(step.request)).toMatchInlineSnapshot(`
    "tools Read
    system ▪ You fix bugs.
    user
      text <system-reminder>⏎Today is 2026-10-22.⏎</system-reminder>
      text ▪ One.
    assistant
      thinking t
      call Read {}
    user
      result error The turn ended before this call did; it may have run.
    user
      text ▪ Two."
  `);
  expect(store.file(session.id).every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
});

test('a boundary begins a new window with what was told before, once, and keeps a tail whole', async () => {
  const { options, laws } = bench();
  const session = await openSession(options);
  const thread = session.main;
  laws.check(await thread.prompt('One.'), thread);
  await thread.response(answer([say('First.')]));
  laws.check(await thread.prompt('Two.'), thread);
  const [read] = await thread.response(answer([think('secret'), call('Read', {}, 'A')]));
  await thread.result(read?.id ?? '', 'text');
  laws.check(await thread.next(), thread);
  const kept = thread.transcript.window.find((record) => record.type === 'tool_result')?.id ?? null;
  const aside = await thread.aside('Sum up.', 'summary');
  expect(aside.plan.moved).toBeNull();
  const step = laws.check(await thread.compact([{ type: 'text', text: 'They said one and two.' }], kept, 'auto'), thread);
  expect(layout(step.request)).toMatchInlineSnapshot(`
    "tools Read
    system ▪ You fix bugs.
    user
      text They said one and two.
    assistant
      call Read {}
    user
      result ▪ text + <system-reminder>⏎Today is 2026-10-22.⏎</system-reminder>"
  `);
  await thread.response(answer([say('On it.')]));
  const last = laws.check(await thread.prompt('Three.'), thread);
  expect(last.injected).toEqual([]);
  expect(last.plan.sealed).toBe(3);

  await session.close();
  const fork = await openSession({ ...options, resume: session.id, fork: true });
  expect(fork.id).not.toBe(session.id);
  await fork.main.interrupt('forked');
  const forked = laws.check(await fork.main.prompt('Four.'), fork.main);
  expect(bare(forked.request.messages.slice(0, 5))).toBe(bare(last.request.messages));
  expect(forked.plan.sealed).toBe(5);
});

test('a rewind moves the head; what stood behind it is told again when it is due', async () => {
  const { options, laws, clock } = bench();
  const session = await openSession(options);
  const thread = session.main;
  laws.check(await thread.prompt('One.'), thread);
  await thread.response(answer([say('First.')]));
  const head = thread.transcript.head ?? '';
  clock.advance(86_400_000);
  expect(laws.check(await thread.prompt('Two.'), thread).injected).toHaveLength(1);
  await thread.response(answer([say('Second.')]));
  await thread.rewind(head);
  const step = laws.check(await thread.prompt('Two, but otherwise.'), thread);
  expect(step.injected).toEqual([{ kind: 'date_change', title: 'date 2026-10-23' }]);
  expect(JSON.stringify(step.request)).not.toContain('Second.');
  expect(step.plan.sealed).toBe(1);
});

test('a new model is a new prefix, with its cause, and the thinking of the other one stays out', async () => {
  const { options, laws } = bench({ system: ({ model }) => [{ name: 'env', text: `model ${model}`, static: false }] });
  const session = await openSession(options);
  const thread = session.main;
  laws.check(await thread.prompt('One.'), thread);
  await thread.response(answer([think('t'), say('First.')]));
  await session.set('model', 'claude-sonnet-5-5');
  const step = laws.check(await thread.prompt('Two.'), thread);
  expect(step.plan.ancestor).toBeNull();
  expect(step.injected).toEqual([]);
  expect(layout(step.request)).toMatchInlineSnapshot(`
    "tools Read
    system ▪ model claude-sonnet-5-5
    user
      text <system-reminder>⏎Today is 2026-10-22.⏎</system-reminder>
      text One.
    assistant
      text First.
    user
      text ▪ Two."
  `);
});

test('a preview appends nothing and shows what a prompt would send', async () => {
  const { options, store } = bench();
  const session = await openSession(options);
  const preview = await session.main.preview('Hello?');
  expect(store.file(session.id)).toEqual([]);
  const step = await session.main.prompt('Hello?');
  expect(layout(preview.request)).toBe(layout(step.request));
});

test('a call out of turn says what to do instead', async () => {
  const { options } = bench();
  const session = await openSession(options);
  await expect(session.main.next()).rejects.toThrow('cannot be called while the thread is idle');
  await expect(session.main.prompt('  ')).rejects.toThrow('the prompt is empty');
  await session.main.prompt('x');
  await expect(session.main.prompt('y')).rejects.toThrow('answer the running request');
});

test('a request that would be refused is stopped each time', async () => {
  const { options } = bench({ tools: [...tools, ...tools] });
  const session = await openSession(options);
  await expect(session.main.prompt('One.')).rejects.toThrow('the name Read is given twice');
  await expect(session.main.prompt('Two.')).rejects.toThrow('the name Read is given twice');
});
