import { expect, test } from 'vitest';
import { answer, call, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';
import { readTranscript } from './read-transcript.js';

async function bench() {
  const store = new MemoryStore();
  const options = { model: 'claude-opus-5-5', tools: [], system: 'x', store, ports: testPorts() };
  const session = await openSession(options);
  const laws = new LawChecker();
  const thread = session.main;
  /** A turn that has got as far as a result. */
  const begin = async (words: string, id: string) => {
    laws.check(await thread.prompt(words), thread);
    await thread.response(answer([call('Read', {}, id)]));
    await thread.result(id, 'text');
  };
  return { store, options, session, laws, thread, begin };
}
const textOf = (body: { readonly messages: readonly unknown[] }): string => JSON.stringify(body.messages);
const words = (steered: readonly { readonly content: readonly object[] }[]) =>
  steered.flatMap(({ content }) => content.map((block) => ('text' in block ? block.text : '')));

test('steered words wait, are delivered in the order they came, and wait no longer', async () => {
  const { thread, laws, begin } = await bench();
  await begin('One.', 'A');
  await Promise.all(['first', 'second'].map((one) => thread.steer(one)));
  expect(words(thread.steered)).toEqual(['first', 'second']);
  const { request } = laws.check(await thread.next(), thread);
  expect(textOf(request)).toMatch(/first.*second/);
  expect(thread.steered).toEqual([]);
});

test('words that are taken back are never told, on no chain, and not after a resume either', async () => {
  const { thread, laws, begin, options, session } = await bench();
  await begin('One.', 'A');
  const item = await thread.steer('never mind');
  await thread.steer('do this');
  expect(await thread.withdraw(item)).toBe(true);
  expect(await thread.withdraw(item)).toBe(false);
  await session.close();
  const resumed = await openSession({ ...options, resume: session.id });
  expect(words(resumed.main.steered)).toEqual(['do this']);
  const { request } = laws.check(await resumed.main.prompt('Go on.'), resumed.main);
  expect(textOf(request)).toContain('do this');
  expect(textOf(request)).not.toContain('never mind');
  await resumed.close();
});

test('words that are being collected are on their way: they can’t be taken back, and come once', async () => {
  const { thread, laws, begin } = await bench();
  await begin('One.', 'A');
  const item = await thread.steer('on its way');
  const [step, taken] = await Promise.all([thread.next(), thread.withdraw(item)]);
  expect(taken).toBe(false);
  expect(textOf(laws.check(step, thread).request)).toContain('on its way');
});

test('a prompt of steered words stands for them, in one batch with their removal', async () => {
  const { thread, laws, begin, store, session } = await bench();
  await begin('One.', 'A');
  laws.check(await thread.next(), thread);
  await thread.response(answer([say('Done.')]));
  const item = await thread.steer('and tests');
  const { request } = laws.check(await thread.prompt({ content: [{ type: 'text', text: 'and tests' }], steered: [item] }), thread);
  expect(textOf(request).split('and tests')).toHaveLength(2);
  expect(thread.steered).toEqual([]);
  const { transcript } = await readTranscript(store, session.id);
  const batches = transcript.read({
    name: 'batches',
    scope: 'session' as const,
    on: ['user', 'queue'],
    initial: (): string[] => [],
    step: (all, record) => [...all, `${record.type} ${record.batch.id}`],
  });
  const [user, removal] = batches.slice(-2).map((one) => one.split(' ')[1]);
  expect(user).toBe(removal);
});

test('words that could not be stored with their prompt wait again', async () => {
  const { thread, begin, store, laws } = await bench();
  await begin('One.', 'A');
  laws.check(await thread.next(), thread);
  await thread.response(answer([say('Done.')]));
  const item = await thread.steer('kept');
  store.beforeWrite = () => {
    throw new Error('disk full');
  };
  await expect(thread.prompt({ content: [{ type: 'text', text: 'kept' }], steered: [item] })).rejects.toThrow('disk full');
  await expect(thread.withdraw(item)).rejects.toThrow('disk full');
  expect(words(thread.steered)).toEqual(['kept']);
});

test('a rewind to before the delivery lets words wait again', async () => {
  const { thread, laws, begin } = await bench();
  await begin('One.', 'A');
  const before = thread.transcript.head ?? '';
  await thread.steer('tabs');
  laws.check(await thread.next(), thread);
  await thread.response(answer([say('Done.')]));
  await thread.rewind(before);
  expect(words(thread.steered)).toEqual(['tabs']);
});
