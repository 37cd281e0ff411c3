/** What is left of the dollars that a session may cost, where a limit is set: at first, and with each tenth of it. */
import { defineAttachment } from '../contract.js';
import { everyTurn, hasTenth, tenths, toldTenthFold } from '../parts/steps.js';

const KIND = 'budget_usd';

type Data = { readonly used: number; readonly limit: number; readonly tenth: number };

export const budgetUsd = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['usage', 'options'],
  options: ['cadence'],
  group: 'main',
  wait: 'may',
  trust: 'client',
  told: toldTenthFold(KIND),
  decode: hasTenth,
  async collect(moment, told, { usage, options }) {
    const reading = await usage.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const { usd, limits } = reading.value;
    if (limits.usd === undefined) return { type: 'nothing' };
    if (usd === null) return { type: 'unavailable', why: 'the price of a model that answered is not known' };
    const data = { used: usd, limit: limits.usd, tenth: tenths(usd, limits.usd) };
    const asked = everyTurn(options, KIND) && moment.trigger === 'prompt';
    return asked || data.tenth > told.tenth || data.limit !== told.limit ? { type: 'new', data } : { type: 'nothing' };
  },
  render({ used, limit }: Data) {
    const left = dollars(Math.max(0, limit - used));
    const text = `This session may cost ${dollars(limit)}; ${dollars(used)} are spent and ${left} are left. It is stopped at the limit.`;
    return { content: [{ type: 'text', text }] };
  },
  keep: ({ limit, tenth }) => ({ limit, tenth }),
  title: ({ used, limit }) => `budget: ${dollars(used)} of ${dollars(limit)}`,
  reason: ({ tenth }) => (tenth === 0 ? 'a limit in dollars is set' : `${tenth * 10} % of the limit are spent`),
});

/** Cents; below one dollar their hundredths. */
const dollars = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
