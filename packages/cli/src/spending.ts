/** What a session has taken, per model, each response counted once: for `/cost`, the status line and limits. */
import { addUsage, costOf, NO_USAGE } from '@sidenote/agent';
import type { AssistantRecord, Fold, ModelProfile, Usage } from '@sidenote/engine';

export type Spent = {
  readonly responses: number;
  readonly usage: Usage;
  /** US dollars at list prices; null when the price is not known. */
  readonly usd: number | null;
};
export type Spending = { readonly seen: Set<string>; readonly models: Map<string, Spent>; ttl: '5m' | '1h' };

/** Fold: what each model took. Also what a rewind or a compaction took out of sight: it was paid for. */
export function spendingFold(profile: (model: string) => ModelProfile): Fold<Spending> {
  return {
    name: 'cli:spending',
    scope: 'session',
    on: ['request', 'assistant'],
    initial: () => ({ seen: new Set(), models: new Map(), ttl: '5m' }),
    step(state, record) {
      if (record.type === 'request') state.ttl = record.marks.at(-1)?.ttl ?? '5m';
      if (record.type === 'assistant') add(state, record, profile(record.asked));
      return state;
    },
  };
}

function add({ seen, models, ttl }: Spending, { message, asked }: AssistantRecord, profile: ModelProfile): void {
  if (seen.has(message.id)) return;
  seen.add(message.id);
  const { responses, usage, usd } = models.get(asked) ?? { responses: 0, usage: NO_USAGE, usd: 0 };
  const cost = costOf(message.usage, profile, ttl);
  models.set(asked, {
    responses: responses + 1,
    usage: addUsage(usage, message.usage),
    usd: usd === null || cost === null ? null : usd + cost,
  });
}

/** US dollars of all models together; null when the price of one is not known. */
export function spentUsd({ models }: Pick<Spending, 'models'>): number | null {
  let sum = 0;
  for (const { usd } of models.values()) {
    if (usd === null) return null;
    sum += usd;
  }
  return sum;
}
