/** Where things stand when a window begins anew in the middle of a turn. */
import { expect, test } from 'vitest';
import { builtInKinds } from '../attachments/kinds/index.js';
import { answer, call, FakeClock, LawChecker, layout, MemoryStore, say, testPorts } from '../testing/index.js';
import { openSession } from './open-session.js';

/** One turn on one day; on the next one the window begins anew. */
async function compacted(keep: 'user' | 'assistant' | null, withResults: boolean): Promise<string> {
  const clock = new FakeClock();
  const laws = new LawChecker();
  const session = await openSession({
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: 'You help.',
    store: new MemoryStore(),
    kinds: builtInKinds,
    cache: { mode: 'off' },
    ports: {
      ...testPorts(clock),
      instructions: {
        read: () => ({
          type: 'ready',
          value: [{ path: '/p/AGENTS.md', scope: 'project', text: 'RULES', status: 'loaded', reason: 'found' }],
          version: '1',
        }),
      },
    },
  });
  const { main } = session;
  laws.check(await main.prompt('Look.'), main);
  if (withResults) {
    await main.response(answer([say('Looking.'), call('Read', {}, 'A')]));
    await main.result('A', 'text of A');
    laws.check(await main.next(), main);
  }
  clock.advance(86_400_000);
  const from = main.transcript.window.findLast((record) => record.type === keep)?.id ?? null;
  const step = laws.check(await main.compact([{ type: 'text', text: 'They asked to look.' }], from), main);
  await main.response(answer([say('Done.')]));
  expect(laws.check(await main.prompt('Next.'), main).injected).toEqual([]);
  return layout(step.request)
    .split('\n')
    .slice(2)
    .map((line) => line.replace(/(<system-reminder>⏎).*(RULES|The date is now|Today is).*/, '$1… $2 …'))
    .join('\n');
}

test('without a tail all of it stands before the summary', async () => {
  expect(await compacted(null, true)).toMatchInlineSnapshot(`
    "user
      text <system-reminder>⏎Instructions from files of the user and of this projec… (234)
      text <system-reminder>⏎… Today is …
      text They asked to look."
  `);
});

test('instructions open the window; what changed stands inside the results of the tail', async () => {
  expect(await compacted('assistant', true)).toMatchInlineSnapshot(`
    "user
      text <system-reminder>⏎Instructions from files of the user and of this projec… (234)
      text They asked to look.
    assistant
      text Looking.
      call Read {}
    user
      result text of A + <system-reminder>⏎… Today is …"
  `);
});

test('and before the words of a tail that ends with words', async () => {
  expect(await compacted('user', false)).toMatchInlineSnapshot(`
    "user
      text They asked to look.
    user
      text <system-reminder>⏎Instructions from files of the user and of this projec… (234)
      text <system-reminder>⏎… Today is …
      text <system-reminder>⏎… The date is now …
      text Look."
  `);
});
