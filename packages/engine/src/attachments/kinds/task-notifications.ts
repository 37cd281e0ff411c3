/** News from commands, agents and monitors that run beside the conversation: each item is delivered once on any chain. */
import { firstLine } from '../../content/text.js';
import { defineAttachment } from '../contract.js';
import type { Ports } from '../ports.js';
import { deliveredFold, deliveredOf, nextOf } from '../parts/delivered.js';
import { charactersIn, fitLines } from '../parts/room.js';
import { taskChangeOf, taskTold } from '../parts/task-effects.js';

type Reading = Awaited<ReturnType<NonNullable<Ports['notices']>['read']>>;
type Notices = Extract<Reading, { readonly type: 'ready' }>['value'];
type Data = { readonly items: Notices };

/** Characters of all items of one message; the rest comes with the next one. */
const MOST = 16_000;
const TAG = /<(?=\s*(?:\/\s*)?task-notification)/gi;

export const taskNotifications = defineAttachment({
  kind: 'task_notifications',
  version: 1,
  needs: ['notices'],
  group: 'thread',
  wait: 'may',
  trust: 'third-party',
  told: deliveredFold('task_notifications'),
  decode: deliveredOf,
  async collect(moment, told, { notices }) {
    const reading = await notices.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const items = nextOf(reading.value, told, { characters: MOST, lengthOf: (item) => item.text.length });
    return items.length === 0 ? { type: 'nothing' } : { type: 'new', data: { items } };
  },
  render({ items }: Data, room) {
    const share = Math.floor(Math.min(charactersIn(room), 2 * MOST) / items.length);
    const parts = items.map(({ text }) =>
      fitLines(text.trim().replace(TAG, '<\\'), { characters: Math.max(200, share), rest: 'the task itself has them' }),
    );
    const cut = parts.filter(({ left }) => left > 0).length;
    const text = parts.map((part) => `<task-notification>\n${part.text}\n</task-notification>`).join('\n');
    return { content: [{ type: 'text', text }], ...(cut > 0 ? { cut: `the text of ${cut} of ${items.length} notifications` } : {}) };
  },
  keep: ({ items }) => ({ ids: items.map(({ id }) => id) }),
  effects: ({ items }) =>
    items.flatMap(({ task }) => {
      const change = taskChangeOf(task);
      return change === undefined ? [] : [taskTold(change)];
    }),
  title: ({ items }) =>
    items.length === 1
      ? `notification: ${firstLine(items[0]?.text ?? '', 60)}`
      : `${items.length} notifications: ${firstLine(items[0]?.text ?? '', 60)}, …`,
  reason: ({ items }) =>
    items.length === 1 ? 'something happened beside the conversation' : 'several things happened beside the conversation',
});
