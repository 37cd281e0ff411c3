/** The count of a window, against a provider that counts in its own way. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSession } from '../session/open-session.js';
import type { Thread } from '../session/session.js';
import type { AssistantMessage, Usage } from '../transcript/records.js';
import { answer, call, MemoryStore, say, testPorts } from '../testing/index.js';
import { countWindow, type WindowCount } from './count.js';

const MODEL = 'claude-opus-4-5';
/** What the provider makes of four characters. */
const TRUE_SCALE = 1.4;

const PORTS = testPorts();

const open = (ports = PORTS) =>
  openSession({ model: MODEL, tools: [], system: 'You help. '.repeat(40), store: new MemoryStore(), kinds: [], ports });

const counted = ({ transcript }: Thread): WindowCount => countWindow(transcript, PORTS.tokens);

const reported = (blocks: AssistantMessage['content'], usage: Partial<Usage>): AssistantMessage => ({
  ...answer(blocks, MODEL),
  usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, ...usage },
});

const real = (length: number): number => Math.round((length / 4) * TRUE_SCALE);

/** One turn of a call and its result; gives how far the count was off before each answer, as a share of what was reported. */
async function turn(thread: Thread, texts: { readonly words: string; readonly result: string }, base: number): Promise<number[]> {
  const off: number[] = [];
  const asked = call('Read', { file_path: 'a.ts' });
  const answered = async (blocks: AssistantMessage['content'], input: number) => {
    off.push(Math.abs(counted(thread).tokens - input) / input);
    await thread.response(reported(blocks, { cache_read_input_tokens: input - 1, input_tokens: 1, output_tokens: 60 }));
  };
  await thread.prompt(texts.words);
  const first = base + real(texts.words.length) + 4;
  await answered([asked], first);
  await thread.result(asked.id, texts.result);
  await thread.next();
  await answered([say('Done. '.repeat(30))], first + 60 + real(texts.result.length) + 12);
  return off;
}

test('an empty thread holds nothing', async () => {
  const session = await open();
  expect(counted(session.main)).toEqual({ tokens: 0, counted: 0, estimated: 0, scale: 1 });
  await session.close();
});

test('before the first answer all is estimated; later what the provider counted, and what came since', async () => {
  const session = await open();
  const { main } = session;
  await main.prompt('x'.repeat(4_000));
  expect(counted(main)).toMatchObject({ counted: 0, tokens: counted(main).estimated, scale: 1 });
  expect(counted(main).tokens).toBeGreaterThan(1_000);
  await main.response(reported([say('y'.repeat(400))], { input_tokens: 5, cache_read_input_tokens: 3_000, output_tokens: 140 }));
  expect(counted(main)).toMatchObject({ counted: 3_145, estimated: 0, tokens: 3_145 });
  await main.prompt('z'.repeat(400));
  expect(counted(main).estimated).toBe(104);
  await session.close();
});

test('after three answers the scale of the provider is known', async () => {
  const session = await open();
  let base = 2_000;
  for (let index = 0; index < 3; index++) {
    await turn(session.main, { words: 'word '.repeat(300), result: 'a line of a file\n'.repeat(100) }, base);
    base = counted(session.main).tokens;
  }
  expect(counted(session.main).scale).toBeGreaterThan(1.25);
  expect(counted(session.main).scale).toBeLessThan(1.45);
  await session.close();
});

test.each([
  ['one step in which something unseen was sent changes no scale', 2, [0.95, 1.05]],
  ['a model that cuts all text otherwise is learned', 6, [2.9, 3.1]],
])('%s', async (_, answers, [least, most]) => {
  const session = await open();
  const { main } = session;
  let input = 1_000;
  for (let index = 0; index < answers; index++) {
    await main.prompt('word '.repeat(400));
    input += 504 * (index === 0 ? 1 : 3);
    await main.response(reported([say('ok')], { input_tokens: input, output_tokens: 1 }));
    input += 1;
  }
  expect(counted(main).scale).toBeGreaterThan(least ?? 0);
  expect(counted(main).scale).toBeLessThan(most ?? 0);
  await session.close();
});

test('a report that was made too early does not hide the answer', async () => {
  const session = await open();
  await session.main.prompt('Go.');
  await session.main.response(reported([say('y'.repeat(4_000))], { input_tokens: 500, output_tokens: 1 }));
  expect(counted(session.main).tokens).toBeGreaterThan(1_400);
  await session.close();
});

test('a provider that does not count leaves the estimate', async () => {
  const session = await open();
  await session.main.prompt('x'.repeat(4_000));
  const before = counted(session.main).tokens;
  await session.main.response(reported([say('y'.repeat(400))], {}));
  expect(counted(session.main)).toMatchObject({ counted: 0, tokens: before + 100 });
  await session.close();
});

test('a new window counts from nothing: what a kept tail reported was of the old one', async () => {
  const session = await open();
  const { main } = session;
  await main.prompt('x'.repeat(40_000));
  await main.response(reported([say('ok')], { input_tokens: 14_000, output_tokens: 60 }));
  await main.prompt('And now?');
  const kept = main.transcript.window.at(-1)?.id ?? null;
  await main.response(reported([say('well')], { input_tokens: 14_070, output_tokens: 60 }));
  const { scale } = counted(main);
  await main.compact([{ type: 'text', text: 'They asked.' }], kept);
  expect(counted(main)).toMatchObject({ counted: 0, scale });
  expect(counted(main).tokens).toBeLessThan(300);
  const boundary = main.transcript.window.find((record) => record.type === 'compact_boundary');
  expect(boundary).toMatchObject({ preTokens: 14_130 });
  await session.close();
});

test('each text is counted once, through boundaries and rewinds', async () => {
  const seen = new Map<string, number>();
  const ports = testPorts();
  const tokens: typeof ports.tokens = (content) => {
    for (const block of content) if (block.type === 'text') seen.set(block.text, (seen.get(block.text) ?? 0) + 1);
    return ports.tokens(content);
  };
  const session = await open({ ...ports, tokens });
  const { main } = session;
  const ask = async (words: string) => {
    await main.prompt(words);
    await main.response(reported([say(`answer to ${words}`)], { input_tokens: 100, output_tokens: 9 }));
    void countWindow(main.transcript, tokens);
  };
  await ask('one');
  const head = main.transcript.head ?? '';
  await ask('two');
  await main.rewind(head);
  await ask('three');
  await main.compact([{ type: 'text', text: 'sum' }], head);
  await ask('four');
  for (const words of ['one', 'two', 'three', 'four', 'answer to one', 'answer to four', 'sum'])
    expect([words, seen.get(words)]).toEqual([words, 1]);
  await session.close();
});

test('whatever was said, the count is near what the provider reports', async () => {
  const text = fc.string({ minLength: 40, maxLength: 4_000, unit: fc.constantFrom('a', ' ', 'z', '\n', '漢', '🙂') });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ words: text, result: text }), { minLength: 4, maxLength: 8 }), async (turns) => {
      const session = await open();
      let base = 1_000;
      const off: number[] = [];
      for (const texts of turns) {
        off.push(...(await turn(session.main, texts, base)));
        base = counted(session.main).tokens;
      }
      const sorted = off.slice(3).toSorted((a, b) => a - b);
      expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(0.05);
      expect(sorted[Math.floor(sorted.length * 0.9)]).toBeLessThan(0.15);
      await session.close();
    }),
    { numRuns: 20 },
  );
});

test('a document of plain text counts as its text', async () => {
  const text = 'a line of a report\n'.repeat(1000);
  const source = { type: 'text', media_type: 'text/plain', data: text };
  const counts: number[] = [];
  for (const content of [[{ type: 'text', text }], [{ type: 'document', source }]] as const) {
    const session = await open();
    await session.main.prompt({ content });
    counts.push(counted(session.main).tokens);
  }
  expect(counts[1]).toBe(counts[0]);
});
