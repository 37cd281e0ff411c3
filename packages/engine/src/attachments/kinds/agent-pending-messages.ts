/** What the parent, a sibling or the person said to a running agent: each message once on any chain. */
import { firstLine } from '../../content/text.js';
import { defineAttachment } from '../contract.js';
import type { AgentMessage } from '../ports.js';
import { deliveredFold, deliveredOf, nextOf } from '../parts/delivered.js';
import { charactersIn, fitLines } from '../parts/room.js';

type Data = { readonly items: readonly AgentMessage[] };

/** Characters of all messages that come at once; the rest comes with the next one. */
const MOST = 32_000;

export const agentPendingMessages = defineAttachment({
  kind: 'agent_pending_messages',
  version: 1,
  needs: ['messages'],
  group: 'thread',
  wait: 'must',
  trust: 'third-party',
  told: deliveredFold('agent_pending_messages'),
  decode: deliveredOf,
  async collect(moment, told, { messages }) {
    const reading = await messages.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const items = nextOf(reading.value, told, { characters: MOST, lengthOf: ({ text }) => text.length });
    return items.length === 0 ? { type: 'nothing' } : { type: 'new', data: { items } };
  },
  render({ items }: Data, room) {
    const share = Math.max(200, Math.floor(Math.min(charactersIn(room), 2 * MOST) / items.length));
    const parts = items.map((item) => ({ item, ...fitLines(item.text.trim(), { characters: share, rest: 'ask for them' }) }));
    const cut = parts.filter(({ left }) => left > 0).length;
    const text = parts.map((part) => `Message from ${part.item.from}, sent while you work:\n${part.text}`).join('\n\n');
    return { content: [{ type: 'text', text }], ...(cut > 0 ? { cut: `the text of ${cut} of ${items.length} messages` } : {}) };
  },
  keep: ({ items }) => ({ ids: items.map(({ id }) => id) }),
  title: ({ items }) =>
    `message from ${items[0]?.from ?? ''}: ${firstLine(items[0]?.text ?? '', 60)}${items.length > 1 ? `, and ${items.length - 1} more` : ''}`,
  reason: () => 'it was sent while the agent worked',
});
