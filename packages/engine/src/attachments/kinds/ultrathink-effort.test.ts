import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../content/content.js';
import { ask, moment, text } from './kind.testing.js';
import { ultrathinkEffort } from './ultrathink-effort.js';

const typed = (words: string, options: { readonly [name: string]: Json } = {}, origin: 'human' | 'peer' = 'human') =>
  ask(ultrathinkEffort, {
    ports: { options: { of: () => options, isOff: () => false } },
    moment: moment({ prompts: [{ content: [text(words)], origin }] }),
  });

test.each(['ultrathink', 'Please ULTRATHINK.', 'ultrathink: why?', '(ultrathink)', '“ultrathink”, then go on'])(
  'takes %j',
  async (words) => {
    expect((await typed(words)).text).toContain('effort at the level max in this turn');
  },
);

test.each([
  'ultrathinking',
  'src/ultrathink.ts',
  'ultrathink.ts',
  '--ultrathink',
  '`ultrathink`',
  '```\nultrathink\n```',
  'my_ultrathink',
  '@ultrathink',
  'ultrathink()',
  'ultrathink-mode',
  'ültrathink',
])('leaves %j', async (words) => {
  expect((await typed(words)).type).toBe('nothing');
});

test('words and level are settings, and anything may stand there', async () => {
  expect((await typed('c++ please', { words: ['c++'], level: 'high' })).text).toContain('the level high');
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.jsonValue(), fc.jsonValue(), async (words, list, level) => {
      const { type } = await typed(words, { words: list as Json, level: level as Json });
      expect(['nothing', 'new']).toContain(type);
    }),
  );
});

test('it is the person who asks, and only with the words that say so', async () => {
  expect((await typed('ultrathink', {}, 'peer')).type).toBe('nothing');
  const { records } = await typed('ultrathink');
  expect(
    (
      await ask(ultrathinkEffort, {
        records,
        ports: { options: { of: () => ({}), isOff: () => false } },
        moment: moment({ trigger: 'tool_results' }),
      })
    ).type,
  ).toBe('nothing');
});
