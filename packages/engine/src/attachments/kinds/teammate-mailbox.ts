/** Unread messages of teammates. The mailbox marks them as read once the record is durable, so each arrives exactly once. */
import { firstLine } from '../../content/text.js';
import { defineAttachment } from '../contract.js';
import type { Mail } from '../ports.js';
import { deliveredFold, deliveredOf, nextOf } from '../parts/delivered.js';
import { charactersIn, fitLines } from '../parts/room.js';

type Data = { readonly items: readonly Mail[] };

/** Characters of all messages that come at once; the rest comes with the next one. */
const MOST = 16_000;

export const teammateMailbox = defineAttachment({
  kind: 'teammate_mailbox',
  version: 1,
  needs: ['mailbox'],
  group: 'thread',
  wait: 'may',
  trust: 'third-party',
  told: deliveredFold('teammate_mailbox'),
  decode: deliveredOf,
  async collect(moment, told, { mailbox }) {
    const reading = await mailbox.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const items = nextOf(reading.value, told, { characters: MOST, lengthOf: ({ text }) => text.length });
    return items.length === 0 ? { type: 'nothing' } : { type: 'new', data: { items } };
  },
  render({ items }: Data, room) {
    const share = Math.max(200, Math.floor(Math.min(charactersIn(room), 2 * MOST) / items.length));
    const parts = items.map((item) => ({ item, ...fitLines(item.text.trim(), { characters: share, rest: 'ask the sender' }) }));
    const cut = parts.filter(({ left }) => left > 0).length;
    const text = parts.map((part) => `From ${part.item.from}, ${part.item.at}:\n${part.text}`).join('\n\n');
    return {
      content: [{ type: 'text', text: `Messages from teammates (other agents, not the user):\n\n${text}` }],
      ...(cut > 0 ? { cut: `the text of ${cut} of ${items.length} messages` } : {}),
    };
  },
  keep: ({ items }) => ({ ids: items.map(({ id }) => id) }),
  appended: async (kept, { mailbox }) => mailbox.markRead(deliveredOf(kept)?.ids ?? []),
  title: ({ items }) => `mail from ${[...new Set(items.map(({ from }) => from))].join(', ')}: ${firstLine(items[0]?.text ?? '', 60)}`,
  reason: () => 'it was not read yet',
});
