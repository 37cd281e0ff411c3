/** What is left of the tokens that a session may take, where a limit is set. */
import { defineLimit } from '../parts/limit.js';
import { count } from '../parts/tenths.js';

export const totalTokensReminder = defineLimit({
  kind: 'total_tokens_reminder',
  read: ({ tokens, limits }) =>
    limits.tokens === undefined ? { type: 'nothing' } : { type: 'new', data: { used: tokens, limit: limits.tokens } },
  text: ({ used, limit }) =>
    `This session may take ${count(limit)} tokens in all, input included; ${count(used)} are used and ${count(limit - used)} are left. It is stopped at the limit.`,
  title: ({ used, limit }) => `session: ${count(used)} of ${count(limit)} tokens`,
});
