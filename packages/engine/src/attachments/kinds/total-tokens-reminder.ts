/** What is left of the tokens that a session may take, where a limit is set: at first, and with each tenth of it. */
import { defineAttachment } from '../contract.js';
import { count, everyTurn, hasTenth, tenths, toldTenthFold } from '../parts/steps.js';

const KIND = 'total_tokens_reminder';

type Data = { readonly used: number; readonly limit: number; readonly tenth: number };

export const totalTokensReminder = defineAttachment({
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
    const { tokens, limits } = reading.value;
    if (limits.tokens === undefined) return { type: 'nothing' };
    const data = { used: tokens, limit: limits.tokens, tenth: tenths(tokens, limits.tokens) };
    const asked = everyTurn(options, KIND) && moment.trigger === 'prompt';
    return asked || data.tenth > told.tenth || data.limit !== told.limit ? { type: 'new', data } : { type: 'nothing' };
  },
  render({ used, limit }: Data) {
    const text = `This session may take ${count(limit)} tokens in all, input included; ${count(used)} are used and ${count(limit - used)} are left. It is stopped at the limit.`;
    return { content: [{ type: 'text', text }] };
  },
  keep: ({ limit, tenth }) => ({ limit, tenth }),
  title: ({ used, limit }) => `session: ${count(used)} of ${count(limit)} tokens`,
  reason: ({ tenth }) => (tenth === 0 ? 'a limit for the session is set' : `${tenth * 10} % of the limit are used`),
});
