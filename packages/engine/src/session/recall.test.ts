/** Recalled memories in a session: begun with the words, told with the first message after they are ready, once a window. */
import { expect, test } from 'vitest';
import type { Memory } from '../attachments/ports.js';
import type { Id } from '../content/content.js';
import { answer, call, LawChecker, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';

/** A look-up that ends when the test says so. */
function lookUp() {
  const begun: { readonly prompt: Id; readonly words: string }[] = [];
  const found = new Map<Id, readonly Memory[]>();
  const recall = {
    begin: (prompt: Id, words: string) => void begun.push({ prompt, words }),
    take: (prompt: Id) => found.get(prompt) ?? null,
  };
  const finish = (text: string): void => {
    const last = begun.at(-1);
    if (last !== undefined) found.set(last.prompt, [{ path: `/m/${text}.md`, scope: 'memory', text, status: 'loaded', reason: 'it fits' }]);
  };
  return { begun, recall, finish };
}

async function begin() {
  const laws = new LawChecker();
  const look = lookUp();
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: 'You help.',
    store: new MemoryStore(),
    ports: { ...testPorts(), recall: look.recall },
  });
  const { main } = session;
  const prompt = async (words: string) => laws.check(await main.prompt(words), main);
  const step = async (id: string) => {
    await main.response(answer([say('Looking.'), call('Read', {}, id)]));
    await main.result(id, `text of ${id}`);
    return laws.check(await main.next(), main);
  };
  return { ...look, session, main, laws, prompt, step };
}
const recalled = ({ injected }: { readonly injected: readonly { readonly kind: string }[] }) =>
  injected.filter(({ kind }) => kind === 'relevant_memories').length;

test('a look-up that ends late is told behind the next results, once', async () => {
  const { begun, finish, prompt, step } = await begin();
  expect(recalled(await prompt('Deploy!'))).toBe(0);
  expect(begun.map(({ words }) => words)).toEqual(['Deploy!']);
  expect(recalled(await step('A'))).toBe(0);
  finish('deploy');
  expect([recalled(await step('B')), recalled(await step('C'))]).toEqual([1, 0]);
});

test('what former words found too late is never told', async () => {
  const { finish, main, prompt, step } = await begin();
  await prompt('Deploy!');
  await main.response(answer([say('Done.')]));
  finish('deploy');
  expect(recalled(await prompt('And now?'))).toBe(0);
  expect(recalled(await step('A'))).toBe(0);
});

test('a window that begins in the middle of a turn is told them once more', async () => {
  const { finish, laws, main, prompt, step } = await begin();
  await prompt('Deploy!');
  finish('deploy');
  expect(recalled(await step('A'))).toBe(1);
  const compacted = laws.check(await main.compact([{ type: 'text', text: 'They deploy.' }], null), main);
  expect(recalled(compacted)).toBe(1);
});

test('a sub-agent looks up its own task; nothing is looked up for a finished one, and a broken port is none', async () => {
  const { begun, session, main, prompt } = await begin();
  const agent = await session.spawn({ agent: 'explore', from: 'fresh', tools: [] });
  await agent.prompt('Find the deploy script.');
  await main.prompt({ content: [{ type: 'text', text: 'A task ended.' }], origin: 'task' });
  await main.response(answer([say('Well.')]));
  expect(begun.map(({ words }) => words)).toEqual(['Find the deploy script.']);
  begun.push = () => {
    throw new Error('broken');
  };
  expect((await prompt('Go on.')).request.messages).not.toHaveLength(0);
});
