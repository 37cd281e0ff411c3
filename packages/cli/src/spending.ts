/** What a session has taken, per model, each response counted once: for `/cost`, the status line and limits. */
import { addUsage, costOf, NO_USAGE } from '@sidenote/agent';
import type { Aside, Fold, Json, ModelProfile, Usage } from '@sidenote/engine';

export type Spent = {
  readonly responses: number;
  readonly usage: Usage;
  /** US dollars at list prices; null when the price is not known. */
  readonly usd: number | null;
};
export type Spending = {
  readonly seen: Set<string>;
  readonly models: Map<string, Spent>;
  /** US dollars of each question beside the conversation; they are in `models`, too. */
  readonly asides: (number | null)[];
  ttl: '5m' | '1h';
};

/** Fold: what each model took. Also what a rewind or a compaction took out of sight: it was paid for. */
export function spendingFold(profile: (model: string) => ModelProfile): Fold<Spending> {
  return {
    name: 'cli:spending',
    scope: 'session',
    on: ['request', 'assistant', 'compact_boundary', 'state'],
    initial: () => ({ seen: new Set(), models: new Map(), asides: [], ttl: '5m' }),
    step(state, record) {
      if (record.type === 'request') state.ttl = record.marks.at(-1)?.ttl ?? '5m';
      if (record.type === 'assistant') add(state, { id: record.message.id, model: record.asked, usage: record.message.usage }, profile);
      if (record.type === 'compact_boundary' && record.summary !== undefined) add(state, { id: record.id, ...record.summary }, profile);
      const aside = record.type === 'state' && record.key === 'usage' ? asideIn(record.value) : undefined;
      if (aside !== undefined) {
        add(state, { id: record.id, ...aside }, profile);
        state.asides.push(costOf(aside.usage, profile(aside.model), '5m'));
      }
      return state;
    },
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

function asideIn(value: Json): Aside | undefined {
  const { model, usage } = fieldsOf(value);
  const counts = fieldsOf(usage);
  if (typeof model !== 'string') return undefined;
  const count = (key: keyof Usage): number | null => {
    const number = counts[key];
    return typeof number === 'number' && number >= 0 ? number : null;
  };
  return {
    model,
    usage: {
      input_tokens: count('input_tokens') ?? 0,
      output_tokens: count('output_tokens') ?? 0,
      cache_read_input_tokens: count('cache_read_input_tokens'),
      cache_creation_input_tokens: count('cache_creation_input_tokens'),
    },
  };
}

type Response = { readonly id: string; readonly model: string; readonly usage: Usage };

function add({ seen, models, ttl }: Spending, response: Response, profile: (model: string) => ModelProfile): void {
  const { id, model, usage: own } = response;
  if (seen.has(id)) return;
  seen.add(id);
  const { responses, usage, usd } = models.get(model) ?? { responses: 0, usage: NO_USAGE, usd: 0 };
  const cost = costOf(own, profile(model), ttl);
  models.set(model, {
    responses: responses + 1,
    usage: addUsage(usage, own),
    usd: usd === null || cost === null ? null : usd + cost,
  });
}

/** What several threads took together. */
export function allSpending(threads: readonly Pick<Spending, 'models'>[]): Pick<Spending, 'models'> {
  const [first] = threads;
  if (threads.length === 1 && first !== undefined) return first;
  const models = new Map<string, Spent>();
  for (const [model, spent] of threads.flatMap((thread) => [...thread.models])) {
    const { responses, usage, usd } = models.get(model) ?? { responses: 0, usage: NO_USAGE, usd: 0 };
    models.set(model, {
      responses: responses + spent.responses,
      usage: addUsage(usage, spent.usage),
      usd: usd === null || spent.usd === null ? null : usd + spent.usd,
    });
  }
  return { models };
}

/** Null as soon as one price is not known. */
export const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** US dollars of all models together; null when the price of one is not known. */
export function spentUsd({ models }: Pick<Spending, 'models'>): number | null {
  let sum = 0;
  for (const { usd } of models.values()) {
    if (usd === null) return null;
    sum += usd;
  }
  return sum;
}
