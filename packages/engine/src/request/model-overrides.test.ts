import { expect, test } from 'vitest';
import { profilesWith, readModelOverrides } from './model-overrides.js';
import { profileOf } from './profiles.js';

test('what is said counts, what is not said stays, and other models are not touched', () => {
  const { overrides, problems } = readModelOverrides({
    'claude-opus-5-5': { minimum: 4_096, price: { input: 8 } },
    'qwen*': { window: 32_000, deliveries: ['before-prompt', 'inside-result'] },
    'qwen3*': { window: 64_000, price: { input: 1, output: 2 } },
    'claude-sonnet-5-5': { price: null },
  });
  expect(problems).toEqual([]);
  const profile = profilesWith(overrides);
  expect(profile('claude-opus-5-5')).toEqual({
    ...profileOf('claude-opus-5-5'),
    minimum: 4_096,
    price: { input: 8, output: 20, read: 0.4, write5m: 10, write1h: 16 },
  });
  expect(profile('qwen2')).toMatchObject({ model: 'qwen2', window: 32_000, price: null, deliveries: ['before-prompt', 'inside-result'] });
  expect(profile('qwen3-next')).toMatchObject({ window: 64_000, price: { input: 1, output: 2, read: 0.1, write5m: 1.25, write1h: 2 } });
  expect(profile('claude-sonnet-5-5').price).toBeNull();
  expect(profile('claude-haiku-5-5')).toEqual(profileOf('claude-haiku-5-5'));
});

test.each<[unknown, string]>([
  ['opus', 'models: an object of models by name is expected'],
  [{ a: 1 }, 'models.a: an object is expected'],
  [{ a: { window: 0 } }, 'models.a.window: a whole number from 1 is expected'],
  [{ a: { windows: 1 } }, 'models.a.windows: not known; there are window, maxOutput, minimum, deliveries, thinking'],
  [{ a: { thinking: 'much' } }, 'models.a.thinking: one of none, last-turn, kept, bound is expected'],
  [{ a: { deliveries: ['system-message'] } }, expect.stringContaining('holds before-prompt and inside-result')],
  [{ a: { price: 3 } }, 'models.a.price: an object of rates or null is expected'],
  [{ a: { price: { input: -1 } } }, 'models.a.price.input: a number from 0 is expected'],
  [{ a: { constructor: 1 } }, expect.stringContaining('models.a.constructor: not known')],
])('%j is left out and reported', (value, problem) => {
  const { overrides, problems } = readModelOverrides(value);
  expect(problems).toEqual([problem]);
  expect(profilesWith(overrides)('a')).toEqual(profileOf('a'));
});

test('no settings, no difference', () => {
  expect(readModelOverrides(undefined)).toEqual({ overrides: {}, problems: [] });
});
