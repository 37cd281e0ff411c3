/** The text that an agent's definition, or an embedder, wants at the end of every message. Short, since it is paid for each time. */
import { isBlank } from '../../content/text.js';
import { defineAttachment } from '../contract.js';

type Data = { readonly text: string };

/** Characters of a critical reminder. A longer one is an error, and not told. */
export const MOST_CRITICAL = 600;

export const criticalSystemReminder = defineAttachment({
  kind: 'critical_system_reminder',
  version: 1,
  needs: ['criticalReminder'],
  group: 'thread',
  wait: 'may',
  trust: 'user',
  again: 'again',
  told: { name: 'critical-reminder', scope: 'window', on: [], initial: () => ({}), step: (state) => state },
  decode: (data) => data,
  async collect(moment, _told, { criticalReminder }) {
    const reading = await criticalReminder.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const text = reading.value.trim();
    if (text.length > MOST_CRITICAL)
      throw new Error(`a critical reminder may have ${MOST_CRITICAL} characters; this one has ${text.length}, and is not told`);
    return isBlank(text) ? { type: 'nothing' } : { type: 'new', data: { text } };
  },
  render: ({ text }: Data) => ({ content: [{ type: 'text', text }] }),
  keep: ({ text }) => ({ characters: text.length }),
  title: ({ text }) => `critical reminder (${text.length} characters)`,
  reason: () => 'it is set: it comes with every message',
});
