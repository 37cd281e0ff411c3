/**
 * Facts about models, by family and version. Sources: the providers' public model and price pages, read 2026-11-30
 * (`overview`: platform.claude.com/docs/en/models/<model>/overview; `prices`: …/about-claude/pricing; `caching`:
 * …/build-with-claude/prompt-caching; `thinking`: …/build-with-claude/thinking and …/preserved-thinking; `system`:
 * …/build-with-claude/mid-conversation-system-messages). What no source says is left conservative.
 */
import type { IMAGE_SIGHT } from '../content/media-tokens.js';
import type { ModelProfile } from './model.js';
import type { MessagesBody } from './wire.js';

type Family = 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos';
type Thinking = ModelProfile['thinking'];

/** What holds from `from` on, until a row with a higher version. */
type Row = {
  readonly family: Family;
  readonly from: number;
  /** Source: overview. */
  readonly window: number;
  /** Most output tokens the model can give. Source: overview. */
  readonly output: number;
  /** Source: caching, table of minimum lengths. */
  readonly minimum: number;
  /** Source: thinking. */
  readonly thinking: Thinking;
  /** Takes `role: "system"` inside `messages`. Source: system. */
  readonly system: boolean;
  /** US dollars per million tokens of input and output, and the multiplier of a cache read. Source: prices. */
  readonly price: readonly [input: number, output: number, read: number] | null;
  readonly longPrompt?: { readonly over: number; readonly factor: number };
};

const M = 1_000_000;
const K = 1_000;

/** Newest first within a family: the first row that is not newer than the model counts. */
const ROWS: readonly Row[] = [
  { family: 'fable', from: 5.2, window: M, output: 128 * K, minimum: 512, thinking: 'bound', system: true, price: [8, 40, 0.025] },
  { family: 'fable', from: 5.1, window: M, output: 128 * K, minimum: 512, thinking: 'bound', system: true, price: [10, 50, 0.025] },
  { family: 'fable', from: 5, window: M, output: 128 * K, minimum: 512, thinking: 'kept', system: true, price: [10, 50, 0.1] },
  { family: 'mythos', from: 5.2, window: M, output: 128 * K, minimum: 512, thinking: 'bound', system: true, price: null },
  { family: 'mythos', from: 5.1, window: M, output: 128 * K, minimum: 512, thinking: 'bound', system: true, price: [10, 50, 0.025] },
  { family: 'mythos', from: 5, window: M, output: 128 * K, minimum: 512, thinking: 'kept', system: true, price: [10, 50, 0.1] },
  { family: 'opus', from: 5.5, window: M, output: 128 * K, minimum: 512, thinking: 'bound', system: true, price: [4, 20, 0.05] },
  { family: 'opus', from: 5, window: M, output: 128 * K, minimum: 512, thinking: 'kept', system: true, price: [5, 25, 0.1] },
  { family: 'opus', from: 4.8, window: M, output: 128 * K, minimum: 1024, thinking: 'kept', system: true, price: [5, 25, 0.1] },
  { family: 'opus', from: 4.7, window: M, output: 128 * K, minimum: 2048, thinking: 'kept', system: false, price: [5, 25, 0.1] },
  { family: 'opus', from: 4.6, window: M, output: 128 * K, minimum: 4096, thinking: 'kept', system: false, price: [5, 25, 0.1] },
  { family: 'opus', from: 4.5, window: 200 * K, output: 64 * K, minimum: 4096, thinking: 'kept', system: false, price: [5, 25, 0.1] },
  { family: 'opus', from: 4, window: 200 * K, output: 32 * K, minimum: 1024, thinking: 'last-turn', system: false, price: [15, 75, 0.1] },
  { family: 'opus', from: 3, window: 200 * K, output: 4 * K, minimum: 1024, thinking: 'none', system: false, price: [15, 75, 0.1] },
  { family: 'sonnet', from: 5.5, window: M, output: 128 * K, minimum: 512, thinking: 'bound', system: true, price: [2, 10, 0.05] },
  // The pages disagree on system messages for Sonnet 5, and agents stopped sending them: left out.
  { family: 'sonnet', from: 5, window: M, output: 128 * K, minimum: 1024, thinking: 'kept', system: false, price: [2, 10, 0.1] },
  { family: 'sonnet', from: 4.6, window: M, output: 128 * K, minimum: 1024, thinking: 'kept', system: false, price: [3, 15, 0.1] },
  {
    family: 'sonnet',
    from: 3.7,
    window: 200 * K,
    output: 64 * K,
    minimum: 1024,
    thinking: 'last-turn',
    system: false,
    price: [3, 15, 0.1],
  },
  { family: 'sonnet', from: 3, window: 200 * K, output: 4 * K, minimum: 1024, thinking: 'none', system: false, price: [3, 15, 0.1] },
  {
    family: 'haiku',
    from: 5.5,
    window: M,
    output: 128 * K,
    minimum: 512,
    thinking: 'bound',
    system: true,
    price: [0.1, 0.5, 0.1],
    longPrompt: { over: 100 * K, factor: 5 },
  },
  { family: 'haiku', from: 4.5, window: 200 * K, output: 64 * K, minimum: 4096, thinking: 'last-turn', system: false, price: [1, 5, 0.1] },
  { family: 'haiku', from: 3.5, window: 200 * K, output: 8 * K, minimum: 2048, thinking: 'none', system: false, price: [0.8, 4, 0.1] },
  { family: 'haiku', from: 3, window: 200 * K, output: 4 * K, minimum: 2048, thinking: 'none', system: false, price: null },
];

/** Cache writes, as multiples of the input price. Source: prices; the same for all models. */
const WRITE_5M = 1.25;
const WRITE_1H = 2;

/**
 * What is known of a model, by its id; platform prefixes, dates and suffixes don't matter. A version newer than the
 * table counts as the newest one of its family. Unknown models get what holds everywhere, and no price.
 */
export function profileOf(model: string): ModelProfile {
  const row = rowOf(model);
  if (row === null) {
    const deliveries = ['before-prompt', 'inside-result', 'after-results'] as const;
    return { model, window: 200 * K, maxOutput: 8 * K, minimum: 1024, deliveries, thinking: 'kept', price: null };
  }
  const { window, minimum, thinking } = row;
  return { model, window, maxOutput: outputAskedFor(row), minimum, deliveries: deliveriesOf(row), thinking, price: priceOf(row) };
}

/**
 * The thinking parameter a session starts with: adaptive where the model takes it, nothing elsewhere. Models that hide
 * their thoughts by default are asked for summaries, since the text between tool calls comes back among them.
 */
export function thinkingOf(model: string): Pick<MessagesBody, 'thinking'> {
  const row = rowOf(model);
  // Source: thinking. Adaptive from 4.6 on.
  if (row === null || row.from < 4.6) return {};
  return { thinking: row.thinking === 'bound' ? { type: 'adaptive', display: 'summarized' } : { type: 'adaptive' } };
}

/**
 * Tokens of a text, as a multiple of what an estimate for older models says. From 4.7 on texts are cut into about 30 % more.
 * Source: …/build-with-claude/token-counting.
 */
export function textScaleOf(model: string): number {
  const row = rowOf(model);
  return row !== null && row.from >= 4.7 ? 1.3 : 1;
}

/** How large a model sees images: from 4.7 on larger than before. Source: …/build-with-claude/vision. */
export function sightOf(model: string): keyof typeof IMAGE_SIGHT {
  const row = rowOf(model);
  return row !== null && row.from >= 4.7 ? 'high' : 'standard';
}

function rowOf(model: string): Row | null {
  const name = parse(model);
  return ROWS.find((row) => name !== null && row.family === name.family && row.from <= name.version) ?? null;
}

/** `claude-opus-5-5-20261001`, `us.anthropic.claude-3-5-haiku-…`, `anthropic/claude-sonnet-5.5`. */
function parse(model: string): { family: string; version: number } | null {
  const name = /claude-(opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (name !== null) return { family: name[1] ?? '', version: Number(`${name[2]}.${name[3] ?? 0}`) };
  const old = /claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)/.exec(model);
  return old === null ? null : { family: old[3] ?? '', version: Number(`${old[1]}.${old[2] ?? 0}`) };
}

/** What is asked for must leave room for the prompt: older models refuse a request whose prompt and output exceed the window. */
function outputAskedFor(row: Row): number {
  return Math.min(row.output, row.window === M ? 64 * K : 32 * K);
}

/** On `last-turn` models a block beside the results would cost them their thinking. */
function deliveriesOf(row: Row): ModelProfile['deliveries'] {
  if (row.system) return ['before-prompt', 'inside-result', 'after-results', 'system-message'];
  return row.thinking === 'last-turn' ? ['before-prompt', 'inside-result'] : ['before-prompt', 'inside-result', 'after-results'];
}

function priceOf({ price, longPrompt }: Row): ModelProfile['price'] {
  if (price === null) return null;
  const [input, output, read] = price;
  const rates = { input, output, read: input * read, write5m: input * WRITE_5M, write1h: input * WRITE_1H };
  return longPrompt === undefined ? rates : { ...rates, longPrompt };
}
