/** What is left of the dollars that a session may cost, where a limit is set. */
import { defineLimit } from '../parts/limit.js';

export const budgetUsd = defineLimit({
  kind: 'budget_usd',
  read({ usd, limits }) {
    if (limits.usd === undefined) return { type: 'nothing' };
    if (usd === null) return { type: 'unavailable', why: 'the price of a model that answered is not known' };
    return { type: 'new', data: { used: usd, limit: limits.usd } };
  },
  text({ used, limit }) {
    const left = dollars(Math.max(0, limit - used));
    return `This session may cost ${dollars(limit)}; ${dollars(used)} are spent and ${left} are left. It is stopped at the limit.`;
  },
  title: ({ used, limit }) => `budget: ${dollars(used)} of ${dollars(limit)}`,
});

/** Cents; below one dollar their hundredths. */
const dollars = (usd: number): string => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
