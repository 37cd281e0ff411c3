import { expect, test } from 'vitest';
import { defineAttachment, lastOf } from '../attachments/contract.js';
import { queuedCommands } from '../attachments/kinds/queued-commands.js';
import { answer, call, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';

const hook = defineAttachment({
  kind: 'hook',
  version: 1,
  group: 'thread',
  wait: 'may',
  trust: 'user',
  needs: [],
  told: lastOf('hook', () => true),
  decode: (data) => data,
  collect: () => ({ type: 'nothing' }),
  render: ({ text }: { readonly text: string }, room) =>
    text.length / 4 <= room.tokens
      ? { content: [{ type: 'text', text }] }
      : { content: [{ type: 'text', text: 'no room' }], cut: 'the text of a hook' },
  keep: () => ({}),
  title: () => 'hook',
  reason: () => 'pushed',
});

async function bench() {
  const store = new MemoryStore();
  const session = await openSession({ model: 'claude-opus-5-5', tools: [], system: 'x', store, ports: testPorts(), kinds: [hook] });
  return { store, thread: session.main, laws: new LawChecker() };
}

test('pushed text goes out with the next message, inside the result that it names', async () => {
  const { thread, laws } = await bench();
  thread.attach('hook', { text: 'before the words' });
  const first = laws.check(await thread.prompt('One.'), thread);
  expect(JSON.stringify(first.request.messages)).toContain('before the words');
  await thread.response(answer([call('Read', {}, 'A'), call('Read', {}, 'B')]));
  await Promise.all(['A', 'B'].map((id) => thread.result(id, 'text')));
  thread.attach('hook', { text: 'about A' }, 'A');
  const { request } = laws.check(await thread.next(), thread);
  const [a, b] = request.messages.at(-1)?.content ?? [];
  expect(JSON.stringify(a)).toContain('about A');
  expect(JSON.stringify(b)).not.toContain('about A');
  expect(JSON.stringify(request).split('before the words')).toHaveLength(2);
});

test('what is pushed while a message is being stored waits for the next one', async () => {
  const { store, thread, laws } = await bench();
  let writes = 0;
  store.beforeWrite = () => {
    if (writes++ === 0) thread.attach('hook', { text: 'just too late' });
  };
  expect(JSON.stringify(laws.check(await thread.prompt('One.'), thread).request)).not.toContain('just too late');
  await thread.response(answer([say('Yes.')]));
  expect(JSON.stringify(laws.check(await thread.prompt('Two.'), thread).request)).toContain('just too late');
});

test('pushed texts share the room of one message', async () => {
  const { thread, laws } = await bench();
  for (const letter of ['a', 'b']) thread.attach('hook', { text: letter.repeat(300_000) });
  const step = laws.check(await thread.prompt('One.'), thread);
  expect(step.report.filter(({ outcome }) => outcome === 'cut')).toMatchObject([{ kind: 'hook', why: 'the text of a hook' }]);
});

test('a kind that the session does not have is refused by its name', async () => {
  const { thread } = await bench();
  expect(() => thread.attach('other', {})).toThrow('no kind other in this session');
});

test('nothing is interrupted or compacted while a message is being made', async () => {
  const { thread } = await bench();
  const making = thread.prompt('One.');
  await expect(thread.interrupt('Esc')).rejects.toThrow('in prompt()');
  await expect(thread.compact([{ type: 'text', text: 'summary' }], null)).rejects.toThrow('in prompt()');
  await making;
  await thread.interrupt('Esc');
  expect(thread.state).toBe('idle');
});

test('steered words stand behind the results, or inside the last one where a model would lose its thinking', async () => {
  const steered = async (model: string) => {
    const session = await openSession({
      model,
      tools: [],
      system: 'x',
      store: new MemoryStore(),
      ports: testPorts(),
      kinds: [queuedCommands],
    });
    await session.main.prompt('Go.');
    const [one] = await session.main.response(answer([call('Read', {})], model));
    await session.main.steer('And tabs.');
    await session.main.result(one?.id ?? '', 'text');
    const { request } = new LawChecker().check(await session.main.next(), session.main);
    expect(JSON.stringify(request.messages.at(-1))).toContain('And tabs.');
    return request.messages.at(-1)?.content.map(({ type }) => type);
  };
  expect(await steered('claude-opus-5-5')).toEqual(['tool_result', 'text']);
  expect(await steered('claude-haiku-4-5')).toEqual(['tool_result']);
});
