import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import { answer, bare, call, LawChecker, MemoryStore, png, say, testPorts } from '../testing/index.js';

const SMALL = { width: 60, height: 40 };
const LARGE = { width: 2_162, height: 32 };

async function bench(model = 'claude-opus-5-5', store = new MemoryStore(), resume?: string) {
  store.release();
  const session = await openSession({ model, tools: [], system: 'x', store, ports: testPorts(), kinds: [], resume });
  const laws = new LawChecker();
  const send = async (sizes: readonly (typeof SMALL)[]) => {
    const { request } = laws.check(await session.main.prompt({ content: sizes.map(png) }), session.main);
    await session.main.response(answer([say('I see.')], model));
    const images = request.messages.flatMap(({ content }) => content.filter(({ type }) => type === 'image'));
    return { request, images: images.length, leftOut: bare(request.messages).split('left out').length - 1 };
  };
  return { session, store, send };
}
const many = (count: number, size = SMALL) => Array.from({ length: count }, () => size);

test('behind a large image there is room for 19 more; what went out stays as it was, after a resume too', async () => {
  const { send, session, store } = await bench();
  expect(await send([LARGE, ...many(10)])).toMatchObject({ images: 11, leftOut: 0 });
  expect(await send(many(12))).toMatchObject({ images: 20, leftOut: 3 });
  await session.close();
  const resumed = await bench('claude-opus-5-5', store, session.id);
  expect(await resumed.send(many(1))).toMatchObject({ images: 20, leftOut: 4 });
});

test('behind 20 small images a large one is left out, and small ones are not', async () => {
  const { send } = await bench();
  expect(await send([...many(25), LARGE, ...many(5)])).toMatchObject({ images: 30, leftOut: 1 });
});

test('a small window holds 100, a large one 600', async () => {
  expect(await (await bench('claude-haiku-4-5')).send(many(130))).toMatchObject({ images: 100, leftOut: 30 });
  expect(await (await bench()).send(many(605))).toMatchObject({ images: 600, leftOut: 5 });
});

test('an aside counts nothing: what it shows is still to be placed', async () => {
  const { session } = await bench();
  await session.main.prompt({ content: [LARGE, ...many(9)].map(png) });
  const [one] = await session.main.response(answer([call('Look', {})]));
  await session.main.result(one?.id ?? '', { content: many(10).map(png) });
  await session.main.aside('Sum up.', 'summary');
  expect(bare((await session.main.next()).request.messages)).not.toContain('left out');
});
