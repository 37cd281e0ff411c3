/** Facts about models from settings: checked, and laid over the built-in table. Pure. */
import type { ModelProfile } from './model.js';
import { profileOf } from './profiles.js';

type Price = NonNullable<ModelProfile['price']>;

/** What settings may say of a model. What they don't say stays as the table has it. */
export type ModelOverride = Partial<Omit<ModelProfile, 'model' | 'price'>> & {
  /** US dollars per million tokens; null: not known. For a model without a price, cache rates follow from `input`. */
  readonly price?: Partial<Price> | null;
};

/** By model name; a name that ends in `*` counts for all that begin so, the longest one first. */
export type ModelOverrides = Readonly<Record<string, ModelOverride>>;

export type ReadOverrides = {
  readonly overrides: ModelOverrides;
  /** One line each for the person: what was left out, and what is expected there. */
  readonly problems: readonly string[];
};

type Check = { readonly expected: string; readonly accepts: (value: unknown) => boolean };

const DELIVERIES: readonly unknown[] = ['before-prompt', 'inside-result', 'after-results', 'system-message'];
const THINKING: readonly unknown[] = ['none', 'last-turn', 'kept', 'bound'];
const count: Check = { expected: 'a whole number from 1', accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 1 };
const rate: Check = { expected: 'a number from 0', accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0 };

const CHECKS: Readonly<Record<string, Check>> = {
  window: count,
  maxOutput: count,
  minimum: { expected: 'a whole number from 0', accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0 },
  deliveries: {
    expected: `a list of ${DELIVERIES.join(', ')} that holds before-prompt and inside-result`,
    accepts: (value) =>
      Array.isArray(value) &&
      value.every((one) => DELIVERIES.includes(one)) &&
      value.includes('before-prompt') &&
      value.includes('inside-result'),
  },
  thinking: { expected: `one of ${THINKING.join(', ')}`, accepts: (value) => THINKING.includes(value) },
};
const RATES: Readonly<Record<string, Check>> = {
  ...{ input: rate, output: rate, read: rate, write5m: rate, write1h: rate },
  longPrompt: {
    expected: 'an object with the numbers over and factor',
    accepts: (value) => isFields(value) && rate.accepts(value['over']) && rate.accepts(value['factor']),
  },
};

/** Reads `models` from settings. What is wrong is left out and reported; nothing throws. */
export function readModelOverrides(value: unknown): ReadOverrides {
  const problems: string[] = [];
  const overrides: Record<string, ModelOverride> = {};
  if (value !== undefined && !isFields(value)) problems.push('models: an object of models by name is expected');
  for (const [model, fields] of Object.entries(isFields(value) ? value : {})) {
    const path = `models.${model}`;
    if (!isFields(fields)) {
      problems.push(`${path}: an object is expected`);
      continue;
    }
    const { price, ...rest } = fields;
    const known = checked(rest, CHECKS, path, problems);
    if (price === null) known['price'] = null;
    else if (isFields(price)) known['price'] = checked(price, RATES, `${path}.price`, problems);
    else if (price !== undefined) problems.push(`${path}.price: an object of rates or null is expected`);
    // Each member was checked above.
    overrides[model] = known as ModelOverride;
  }
  return { overrides, problems };
}

function checked(
  fields: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, Check>>,
  path: string,
  problems: string[],
): Record<string, unknown> {
  const right: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    if (check === undefined) problems.push(`${path}.${key}: not known; there are ${Object.keys(checks).join(', ')}`);
    else if (!check.accepts(value)) problems.push(`${path}.${key}: ${check.expected} is expected`);
    else right[key] = value;
  }
  return right;
}

/** A table of models with these facts over those of `base`, for `SessionOptions.profile`. */
export function profilesWith(
  overrides: ModelOverrides,
  base: (model: string) => ModelProfile = profileOf,
): (model: string) => ModelProfile {
  const wild = Object.keys(overrides)
    .filter((name) => name.endsWith('*'))
    .toSorted((a, b) => b.length - a.length);
  return (model) => {
    const profile = base(model);
    const name = Object.hasOwn(overrides, model) ? model : wild.find((one) => model.startsWith(one.slice(0, -1)));
    const override = name === undefined ? undefined : overrides[name];
    if (override === undefined) return profile;
    const { price, ...rest } = override;
    return { ...profile, ...rest, model, price: price === undefined ? profile.price : priceOf(price, profile.price) };
  };
}

/** Source of the multiples: about-claude/pricing, 2026-11-30. */
function priceOf(price: Partial<Price> | null, base: Price | null): Price | null {
  if (price === null) return null;
  const input = price.input ?? base?.input;
  const output = price.output ?? base?.output;
  if (input === undefined || output === undefined) return null;
  // Cache rates are multiples of the input price, so they follow it.
  const scaled = (rate: number | undefined, multiple: number) =>
    rate === undefined || base === null || base.input === 0 ? input * multiple : (rate / base.input) * input;
  return {
    input,
    output,
    read: price.read ?? scaled(base?.read, 0.1),
    write5m: price.write5m ?? scaled(base?.write5m, 1.25),
    write1h: price.write1h ?? scaled(base?.write1h, 2),
    ...longPromptOf(price.longPrompt ?? base?.longPrompt),
  };
}

const longPromptOf = (longPrompt: Price['longPrompt']) => (longPrompt === undefined ? {} : { longPrompt });

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
