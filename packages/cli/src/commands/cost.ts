/** `/cost`: tokens of this session as its provider reported them, per model, each response counted once. */
import type { AssistantRecord, Fold, ModelProfile, Usage } from '@sidenote/engine';
import type { Command } from './command.js';

export type Spent = { readonly responses: number; readonly usage: Required<Usage> };
type Spending = { readonly seen: Set<string>; readonly models: Map<string, Spent> };

const NOTHING: Spent = {
  responses: 0,
  usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
};

/** Also what a rewind or a compaction took out of sight: it was paid for. */
export const spendingFold: Fold<Spending> = {
  name: 'cli:spending',
  scope: 'session',
  on: ['assistant'],
  initial: () => ({ seen: new Set(), models: new Map() }),
  step: (state, record) => {
    if (record.type === 'assistant') add(state, record);
    return state;
  },
};

function add({ seen, models }: Spending, { message }: AssistantRecord): void {
  if (seen.has(message.id)) return;
  seen.add(message.id);
  const { responses, usage } = models.get(message.model) ?? NOTHING;
  models.set(message.model, {
    responses: responses + 1,
    usage: {
      input_tokens: usage.input_tokens + message.usage.input_tokens,
      output_tokens: usage.output_tokens + message.usage.output_tokens,
      cache_read_input_tokens: (usage.cache_read_input_tokens ?? 0) + (message.usage.cache_read_input_tokens ?? 0),
      cache_creation_input_tokens: (usage.cache_creation_input_tokens ?? 0) + (message.usage.cache_creation_input_tokens ?? 0),
    },
  });
}

/** US dollars at list prices, writes counted at the five-minute price; null when the price is not known. */
export function dollars(usage: Usage, profile: Pick<ModelProfile, 'price'>): number | null {
  const { price } = profile;
  if (price === null) return null;
  const millionths =
    usage.input_tokens * price.input +
    usage.output_tokens * price.output +
    (usage.cache_read_input_tokens ?? 0) * price.read +
    (usage.cache_creation_input_tokens ?? 0) * price.write5m;
  return millionths / 1_000_000;
}

/** `$0.0123`; `no price` when it is not known. */
export function money(usd: number | null): string {
  return usd === null ? 'no price' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

export const costCommand: Command = {
  name: 'cost',
  summary: 'tokens and dollars of this session',
  async run({ conversation }) {
    const { models } = conversation.session.main.transcript.read(spendingFold);
    if (models.size === 0) return { type: 'text', text: 'nothing was spent yet' };
    const rows = [...models].map(([model, { responses, usage }]) => {
      const usd = dollars(usage, model === conversation.model ? conversation.profile : conversation.profileOf(model));
      const count = (value: number | null): string => (value ?? 0).toLocaleString('en');
      return [
        `${model}: ${money(usd)} in ${responses} ${responses === 1 ? 'response' : 'responses'}`,
        `  input ${count(usage.input_tokens)} · cache read ${count(usage.cache_read_input_tokens)} · cache written ${count(usage.cache_creation_input_tokens)} · output ${count(usage.output_tokens)} tokens`,
      ].join('\n');
    });
    return { type: 'text', text: rows.join('\n') };
  },
};
