/** Histories that are damaged or odd, as a request holds them: told as they are, and always sendable. */
import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import type { Session, SessionOptions } from '../session/session.js';
import { answer, call, FakeClock, LawChecker, layout, MemoryStore, say, testPorts, think } from '../testing/index.js';

type Bench = { readonly session: Session; readonly options: SessionOptions; readonly store: MemoryStore; readonly laws: LawChecker };
async function bench(): Promise<Bench> {
  const store = new MemoryStore();
  const options: SessionOptions = {
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: 'You help.',
    store,
    ports: testPorts(new FakeClock()),
    kinds: [],
    cache: { mode: 'off' },
  };
  return { session: await openSession(options), options, store, laws: new LawChecker() };
}

/** A turn up to the request with two results, given in reverse order. */
async function twoResults({ session, laws }: Bench): Promise<void> {
  const { main } = session;
  laws.check(await main.prompt('Look.'), main);
  await main.response(answer([call('Read', { n: 1 }, 'A'), call('Read', { n: 2 }, 'B')]));
  await main.result('B', 'text of B');
  await main.result('A', 'text of A');
  laws.check(await main.next(), main);
}
/** Without the head, which is the same everywhere here. */
const messages = (listing: string): string => listing.split('\n').slice(2).join('\n');
const lastMessage = (listing: string): string => listing.slice(listing.lastIndexOf('\nuser') + 1);

test('a result that was lost in the middle is told as lost', async () => {
  const all = await bench();
  await twoResults(all);
  await all.session.main.response(answer([say('ok')]));
  await all.session.close();
  const lines = all.store.file(all.session.id);
  const lost = lines.findIndex((line) => line.includes('"tool_use_id":"B"'));
  lines.splice(lost, 1);
  const again = await openSession({ ...all.options, resume: all.session.id });
  const step = new LawChecker();
  const listing = messages(layout((await again.main.preview('Go on.')).request));
  expect(listing).toMatchInlineSnapshot(`
    "user
      text Look.
    assistant
      call Read {"n":1}
      call Read {"n":2}
    user
      result text of A
      result error The result of this call was lost; it may have run.
    assistant
      text ok
    user
      text Go on."
  `);
  expect((await again.main.prompt('Go on.')).plan.moved).not.toBeNull();
  await again.main.response(answer([say('ok')]));
  step.check(await again.main.prompt('And on.'), again.main);
});

test('a model that counts its calls anew after a resume gets ids that differ', async () => {
  const all = await bench();
  await twoResults(all);
  await all.session.main.response(answer([say('ok')]));
  await all.session.close();
  const again = await openSession({ ...all.options, resume: all.session.id });
  const { main } = again;
  all.laws.check(await main.prompt('Again.'), main);
  await main.response(answer([call('Read', {}, 'B'), call('Read', {}, 'A')]));
  await main.result('A', 'new A');
  await main.result('B', 'new B');
  const step = all.laws.check(await main.next(), main);
  const ids = step.request.messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : block.type === 'tool_result' ? [block.tool_use_id] : [])),
  );
  expect(ids).toEqual(['A', 'B', 'A', 'B', 'B_2', 'A_2', 'B_2', 'A_2']);
  expect(lastMessage(messages(layout(step.request)))).toMatchInlineSnapshot(`
    "user
      result new B
      result new A"
  `);
});

test('an id that the provider would refuse is replaced in the call and in its result', async () => {
  const { session, laws } = await bench();
  const { main } = session;
  laws.check(await main.prompt('Look.'), main);
  await main.response(answer([call('Read', [1], 'functions.Read:0'), call('A name with spaces', {}, '')]));
  await main.result('functions.Read:0', 'one');
  await main.result('', 'two');
  expect(messages(layout(laws.check(await main.next(), main).request))).toMatchInlineSnapshot(`
    "user
      text Look.
    assistant
      call Read {}
      call A_name_with_spaces {}
    user
      result one
      result two"
  `);
});

test('answers without a word, results without output', async () => {
  const { session, laws } = await bench();
  const { main } = session;
  laws.check(await main.prompt('One.'), main);
  await main.response(answer([]));
  laws.check(await main.prompt('Two.'), main);
  await main.response(answer([say(' \n'), think('only a thought')]));
  laws.check(await main.prompt('Three.'), main);
  await main.response(answer([call('Read', {}, 'A'), call('Read', {}, 'B')]));
  await main.result('A', { content: [] });
  await main.result('B', { content: [{ type: 'text', text: '\n' }], isError: true });
  expect(messages(layout(laws.check(await main.next(), main).request))).toMatchInlineSnapshot(`
    "user
      text One.
    assistant
      text (no text)
    user
      text Two.
    assistant
      thinking only a thought
    user
      text Three.
    assistant
      call Read {}
      call Read {}
    user
      result (no output)
      result error (no output)"
  `);
});

test('thinking without a signature, and that of another model, stays out', async () => {
  const { session, laws } = await bench();
  const { main } = session;
  laws.check(await main.prompt('One.'), main);
  await main.response(answer([{ type: 'thinking', thinking: 'unsigned' } as ReturnType<typeof say>, think('signed'), say('First.')]));
  const before = layout(laws.check(await main.prompt('Two.'), main).request);
  expect(before).toContain('thinking signed');
  expect(before).not.toContain('unsigned');
  await main.response(answer([say('Second.')]));
  await session.set('model', 'claude-opus-5');
  expect(layout(laws.check(await main.prompt('Three.'), main).request)).not.toContain('thinking');
});

test('words that the file has lost are said to be empty', async () => {
  const all = await bench();
  all.laws.check(await all.session.main.prompt('Look.'), all.session.main);
  await all.session.main.response(answer([say('ok')]));
  await all.session.close();
  const lines = all.store.file(all.session.id);
  lines.splice(0, lines.length, ...lines.map((line) => line.replace('[{"type":"text","text":"Look."}]', '[]')));
  const { main } = await openSession({ ...all.options, resume: all.session.id });
  expect(messages(layout((await main.prompt('Go on.')).request))).toMatchInlineSnapshot(`
    "user
      text (empty)
    assistant
      text ok
    user
      text Go on."
  `);
});
