import { expect, test } from 'vitest';
import { queuedCommands } from './queued-commands.js';
import { ask, source, text } from './kind.testing.js';

test("the user's words, marked as theirs, with their pictures, once", async () => {
  const image = { type: 'image' as const, source: { type: 'base64' } };
  const steered = source([
    { id: 's1', content: [text('use tabs'), image] },
    { id: 's2', content: [image] },
  ]);
  const first = await ask(queuedCommands, { ports: { steered } });
  expect(first.text).toMatchInlineSnapshot(`
    "The user typed this while the work went on:

    use tabs

    [image]

    The user typed this while the work went on:

    [image]"
  `);
  expect(first.record).toMatchObject({ data: { ids: ['s1', 's2'] }, wrap: 'none', title: 'typed meanwhile: use tabs' });
  expect((await ask(queuedCommands, { records: first.records, ports: { steered } })).type).toBe('nothing');
});

test('words are never cut', async () => {
  const words = 'word '.repeat(5000);
  const told = await ask(queuedCommands, { ports: { steered: source([{ id: 's1', content: [text(words)] }]) }, tokens: 10 });
  expect(told.text).toContain(words);
});
