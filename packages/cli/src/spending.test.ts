import { openSession, profileOf } from '@sidenote/engine';
import { answer, FakeClock, MemoryStore, say, testPorts } from '@sidenote/engine/testing';
import { expect, it } from 'vitest';
import { spendingFold, spentUsd } from './spending.js';

const usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 1_000_000 };

const fold = spendingFold(profileOf);

async function session(model: string) {
  const clock = new FakeClock();
  const opened = await openSession({ model, tools: [], system: 'x', store: new MemoryStore(), ports: testPorts(clock), kinds: [] });
  const spent = () => opened.main.transcript.read(fold);
  const ask = async (words: string, used = usage) => {
    await opened.main.prompt(words);
    await opened.main.response({ ...answer([say('Yes.')], `${model}-20261001`), usage: used });
  };
  return { clock, opened, spent, ask };
}

it('counts writes at the price of the life they were written for, and what a rewind took out of sight', async () => {
  const { clock, opened, spent, ask } = await session('claude-opus-5-5');
  await ask('One.');
  const head = opened.main.transcript.head ?? '';
  expect(spentUsd(spent())).toBeCloseTo(5);
  clock.advance(6 * 60_000);
  await ask('After a pause.');
  await opened.main.rewind(head);
  expect([...spent().models]).toMatchObject([['claude-opus-5-5', { responses: 2 }]]);
  expect(spentUsd(spent())).toBeCloseTo(5 + 8);
});

it('counts each long prompt, and not their sum, at the price of long prompts', async () => {
  const { spent, ask } = await session('claude-haiku-5-5');
  const short = { ...usage, input_tokens: 60_000, cache_creation_input_tokens: 0 };
  await ask('One.', short);
  await ask('Two.', short);
  expect(spentUsd(spent())).toBeCloseTo(0.012);
  await ask('Three.', { ...short, input_tokens: 200_000 });
  expect(spentUsd(spent())).toBeCloseTo(0.012 + 0.1);
});

it('has no price for a model that has none', async () => {
  const { spent, ask } = await session('local');
  expect(spentUsd(spent())).toBe(0);
  await ask('One.');
  expect(spentUsd(spent())).toBeNull();
});
