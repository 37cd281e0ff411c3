/** `/cost`: tokens of this session as its provider reported them, per model, each response counted once. */
import { addUsage, costOf, NO_USAGE } from '@sidenote/agent';
import { profileOf, type AssistantRecord, type Fold, type Usage } from '@sidenote/engine';
import type { Command } from './command.js';

export type Spent = {
  readonly responses: number;
  readonly usage: Usage;
  /** US dollars at list prices; null when the price is not known. */
  readonly usd: number | null;
};
type Spending = { readonly seen: Set<string>; readonly models: Map<string, Spent>; ttl: '5m' | '1h' };

/** Fold: what each model took. Also what a rewind or a compaction took out of sight: it was paid for. */
export const spendingFold: Fold<Spending> = {
  name: 'cli:spending',
  scope: 'session',
  on: ['request', 'assistant'],
  initial: () => ({ seen: new Set(), models: new Map(), ttl: '5m' }),
  step(state, record) {
    if (record.type === 'request') state.ttl = record.marks.at(-1)?.ttl ?? '5m';
    if (record.type === 'assistant') add(state, record);
    return state;
  },
};

function add({ seen, models, ttl }: Spending, { message, asked }: AssistantRecord): void {
  if (seen.has(message.id)) return;
  seen.add(message.id);
  const { responses, usage, usd } = models.get(asked) ?? { responses: 0, usage: NO_USAGE, usd: 0 };
  const cost = costOf(message.usage, profileOf(asked), ttl);
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

/** `$0.0123`; `no price` when it is not known. */
function money(usd: number | null): string {
  return usd === null ? 'no price' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

export const costCommand: Command = {
  name: 'cost',
  summary: 'tokens and dollars of this session',
  async run({ conversation }) {
    const { models } = conversation.session.main.transcript.read(spendingFold);
    if (models.size === 0) return { type: 'text', text: 'nothing was spent yet' };
    const rows = [...models].map(([model, { responses, usage, usd }]) => {
      const count = (value: number | null): string => (value ?? 0).toLocaleString('en');
      return [
        `${model}: ${money(usd)} in ${responses} ${responses === 1 ? 'response' : 'responses'}`,
        `  input ${count(usage.input_tokens)} · cache read ${count(usage.cache_read_input_tokens)} · cache written ${count(usage.cache_creation_input_tokens)} · output ${count(usage.output_tokens)} tokens`,
      ].join('\n');
    });
    return { type: 'text', text: rows.join('\n') };
  },
};
