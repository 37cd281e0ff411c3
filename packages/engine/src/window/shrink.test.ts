import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtInKinds } from '../attachments/kinds/index.js';
import { openSession } from '../session/open-session.js';
import { answer, bare, call, FakeClock, MemoryStore, say, testPorts, think } from '../testing/index.js';
import { profileOf } from '../request/profiles.js';
import { validateBody } from '../request/validate.js';
import { keptTail } from './kept-tail.js';

const ports = testPorts(new FakeClock());

/** Turns of one call each, with results of these lengths. */
async function talk(lengths: readonly number[], model = 'claude-opus-5-5') {
  const { main } = await openSession({
    model,
    tools: [{ name: 'Read', description: 'Reads.', input_schema: { type: 'object' } }],
    system: 'You help.',
    store: new MemoryStore(),
    kinds: builtInKinds,
    ports,
  });
  for (const [turn, length] of lengths.entries()) {
    await main.prompt(`PROMPT-${turn}-`);
    await main.response(answer([think(`THOUGHT-${turn}-`), call('Read', {}, `call${turn}`)], model));
    await main.result(`call${turn}`, `RESULT-${turn}-${'x'.repeat(length)}`);
    await main.next();
    await main.response(answer([say(`ANSWER-${turn}-`)], model));
  }
  return main;
}

test('the oldest results go first; the window itself keeps its bytes', async () => {
  const thread = await talk([4_000, 4_000, 4_000]);
  const before = await thread.aside('Sum up.', 'summary');
  const { request, plan, leftOut } = await thread.aside('Sum up.', 'summary', { part: 0.5 });
  const text = bare(request);
  expect(leftOut).toEqual({ results: 2, attachments: 0, messages: 0 });
  expect(['RESULT-0-', 'RESULT-1-', 'RESULT-2-'].map((mark) => text.includes(mark))).toEqual([false, false, true]);
  expect(text).toContain('PROMPT-0-');
  expect({ ancestor: plan.ancestor, moved: plan.moved }).toEqual({ ancestor: null, moved: null });
  expect(bare((await thread.aside('Sum up.', 'summary')).request)).toBe(bare(before.request));
  const { plan: next } = await thread.prompt('And now?');
  expect(next.moved).toBeNull();
  expect(next.ancestor).not.toBeNull();
});

test('thinking that is bound to what stood before it is left out of a copy, other thinking is not', async () => {
  const text = async (model: string) => bare((await (await talk([4_000, 10], model)).aside('Sum up.', 'summary', { part: 0.5 })).request);
  expect(await text('claude-opus-5-5')).not.toContain('THOUGHT-');
  expect(await text('claude-opus-4-6')).toContain('THOUGHT-');
});

test('any copy is a valid request, whatever has to go; the newest message stays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3_000), { minLength: 1, maxLength: 5 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (lengths, part) => {
        const thread = await talk(lengths);
        const { request } = await thread.aside('Sum up.', 'summary', { part });
        expect(validateBody(request, profileOf(request.model))).toEqual([]);
        expect(bare(request)).toContain(`ANSWER-${lengths.length - 1}-`);
      },
    ),
    { numRuns: 40 },
  );
});

test('a tail is small beside the whole, begins with a message and parts no pair', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(30_000), { minLength: 1, maxLength: 6 }), async (lengths) => {
      const thread = await talk(lengths);
      const { window } = thread.transcript;
      const tail = keptTail(window, { tokens: ports.tokens });
      const at = window.findIndex(({ id }) => id === tail.from);
      if (tail.from === null) return;
      expect(['user', 'assistant']).toContain(window[at]?.type);
      expect(at).toBeGreaterThan(window.findIndex(({ type }) => type === 'user'));
      const open = new Set(
        window
          .slice(0, at)
          .flatMap((record) =>
            record.type === 'assistant' ? record.message.content.flatMap((block) => ('id' in block ? [String(block.id)] : [])) : [],
          ),
      );
      expect(window.slice(at).some((record) => record.type === 'tool_result' && open.has(record.call))).toBe(false);
    }),
    { numRuns: 40 },
  );
});

test('while a turn runs, words without an answer stay, and so do the newest results as long as they leave room', async () => {
  const thread = await talk([10, 10]);
  await thread.prompt(`LONG ${'x'.repeat(400_000)}`);
  const { window } = thread.transcript;
  const prompt = window.findLast(({ type }) => type === 'user')?.id;
  expect(keptTail(window, { tokens: ports.tokens, running: 1 }).from).toBe(prompt);
  await thread.response(answer([call('Read', {}, 'big')]));
  await thread.result('big', 'x'.repeat(200_000));
  const newest = thread.transcript.window.findLast(({ type }) => type === 'assistant')?.id;
  expect(keptTail(window, { tokens: ports.tokens, running: 80_000 }).from).toBe(newest);
  expect(keptTail(window, { tokens: ports.tokens, running: 100 }).from).toBeNull();
});
