import { expect, test } from 'vitest';
import { profileOf, thinkingOf } from './profiles.js';

test.each([
  ['claude-opus-5-5-20261001', 1_000_000, 512, 'bound', true, 4],
  ['us.anthropic.claude-opus-4-5-20251101-v1:0', 200_000, 4096, 'kept', false, 5],
  ['claude-opus-4-20250514', 200_000, 1024, 'last-turn', false, 15],
  ['claude-opus-4-8', 1_000_000, 1024, 'kept', true, 5],
  ['anthropic/claude-sonnet-5.5', 1_000_000, 512, 'bound', true, 2],
  ['claude-sonnet-5', 1_000_000, 1024, 'kept', false, 2],
  ['claude-sonnet-4-5-20250929', 200_000, 1024, 'last-turn', false, 3],
  ['claude-3-7-sonnet-20250219', 200_000, 1024, 'last-turn', false, 3],
  ['claude-3-5-haiku-20241022', 200_000, 2048, 'none', false, 0.8],
  ['claude-haiku-4-5', 200_000, 4096, 'last-turn', false, 1],
  ['claude-fable-5-2[1m]', 1_000_000, 512, 'bound', true, 8],
  ['claude-opus-7', 1_000_000, 512, 'bound', true, 4],
])('%s', (model, window, minimum, thinking, system, input) => {
  const profile = profileOf(model);
  expect(profile).toMatchObject({ model, window, minimum, thinking, price: { input, write5m: input * 1.25, write1h: input * 2 } });
  expect(profile.deliveries.includes('system-message')).toBe(system);
});

test('cache reads do not cost a tenth everywhere', () => {
  const read = (model: string) => profileOf(model).price?.read;
  expect([read('claude-opus-5'), read('claude-opus-5-5'), read('claude-fable-5-1')]).toEqual([0.5, 0.2, 0.25]);
  expect(profileOf('claude-haiku-5-5').price?.longPrompt).toEqual({ over: 100_000, factor: 5 });
});

test('nothing stands beside results where that costs the model its thinking', () => {
  expect(profileOf('claude-haiku-4-5').deliveries).toEqual(['before-prompt', 'inside-result']);
});

test.each(['gpt-6.1-sol', 'my-sonnet-9', 'claude-mythos-preview', 'claude-2.1', ''])('%j is unknown: nothing is claimed', (model) => {
  expect(profileOf(model)).toEqual({
    model,
    window: 200_000,
    maxOutput: 8_000,
    minimum: 1024,
    deliveries: ['before-prompt', 'inside-result', 'after-results'],
    thinking: 'kept',
    price: null,
  });
  expect(thinkingOf(model)).toEqual({});
});

test('adaptive thinking is asked for from 4.6 on', () => {
  expect(thinkingOf('claude-opus-4-5')).toEqual({});
  expect(thinkingOf('claude-opus-4-6')).toEqual({ thinking: { type: 'adaptive' } });
  expect(thinkingOf('claude-sonnet-5-5')).toEqual({ thinking: { type: 'adaptive', display: 'summarized' } });
});

test('the output asked for leaves room for a prompt', () => {
  for (const model of ['claude-opus-4-1', 'claude-haiku-4-5', 'claude-opus-5-5', 'unknown']) {
    const { maxOutput, window } = profileOf(model);
    expect(maxOutput).toBeLessThanOrEqual(window / 5);
  }
});
