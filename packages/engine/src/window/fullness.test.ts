import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInKinds } from '../attachments/kinds/index.js';
import { openSession } from '../session/open-session.js';
import type { AssistantMessage } from '../transcript/records.js';
import { answer, call, FakeClock, MemoryStore, say, testPorts } from '../testing/index.js';

const reporting = (tokens: number, output: number, ...blocks: Parameters<typeof answer>[0]): AssistantMessage => ({
  ...answer(blocks),
  usage: { input_tokens: 1, cache_read_input_tokens: tokens - 1, cache_creation_input_tokens: null, output_tokens: output },
});

async function open() {
  const store = new MemoryStore();
  const options = {
    model: 'claude-opus-5-5',
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' as const } }],
    system: 'You help.',
    store,
    kinds: builtInKinds,
    ports: testPorts(new FakeClock()),
  };
  const session = await openSession(options);
  return {
    session,
    thread: session.main,
    resumed: async () => (store.release(), (await openSession({ ...options, resume: session.id })).main),
  };
}

test('what was reported, its output, and an estimate of what came since', async () => {
  const { thread } = await open();
  expect(thread.fullness).toMatchObject({ by: 'estimated', first: null, compacted: false });
  await thread.prompt('Look.');
  await thread.response(reporting(100_000, 500, call('Read', {}, 'A')));
  expect(thread.fullness).toEqual({ tokens: 100_500, by: 'reported', first: 100_000, compacted: false });
  await thread.result('A', 'x'.repeat(4_000));
  // The estimate is rescaled by what was reported.
  expect(thread.fullness.tokens).toBeGreaterThan(101_000);
  expect(thread.fullness.tokens).toBeLessThan(104_000);
  await thread.next();
  await thread.response(reporting(102_000, 10, say('Done.')));
  expect(thread.fullness).toEqual({ tokens: 102_010, by: 'reported', first: 100_000, compacted: false });
});

test('the reports of a kept tail are about another window', async () => {
  const { thread, resumed } = await open();
  await thread.prompt('One.');
  await thread.response(reporting(900_000, 10, say('First.')));
  await thread.prompt('Two.');
  await thread.response(reporting(910_000, 10, say('Second.')));
  const tail = thread.transcript.window.findLast((record) => record.type === 'user')?.id ?? null;
  await thread.compact([{ type: 'text', text: 'summary' }], tail);
  expect(thread.fullness).toMatchObject({ by: 'estimated', first: null, compacted: true });
  expect(thread.fullness.tokens).toBeLessThan(1_000);
  await thread.prompt('Three.');
  await thread.response(reporting(2_000, 10, say('Third.')));
  expect(thread.fullness).toEqual({ tokens: 2_010, by: 'reported', first: 2_000, compacted: true });
  expect((await resumed()).fullness).toEqual({ tokens: 2_010, by: 'reported', first: 2_000, compacted: true });
});

test('a provider that reports nothing is estimated, head and all', async () => {
  const { thread } = await open();
  await thread.prompt('x'.repeat(40_000));
  const before = thread.fullness.tokens;
  expect(before).toBeGreaterThan(10_000);
  await thread.response({
    ...answer([say('y'.repeat(4_000))]),
    usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: null, cache_creation_input_tokens: null },
  });
  expect(thread.fullness.by).toBe('estimated');
  expect(thread.fullness.tokens - before).toBeGreaterThan(1_000);
});

test('whatever is said, it never shrinks before a boundary', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(2_000), { maxLength: 8 }), async (lengths) => {
      const { thread } = await open();
      let last = 0;
      for (const length of lengths) {
        await thread.prompt('w'.repeat(length + 1));
        expect(thread.fullness.tokens).toBeGreaterThanOrEqual(last);
        await thread.response(reporting(thread.fullness.tokens, 5, say('ok')));
        last = thread.fullness.tokens;
      }
    }),
    { numRuns: 25 },
  );
});
