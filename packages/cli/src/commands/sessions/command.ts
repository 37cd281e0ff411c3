/** `/new` and `/resume`: another session in place of this one. */
import type { Command } from '../command.js';
import { sessionList } from './text.js';

export const newCommand: Command = {
  name: 'new',
  aliases: ['clear'],
  summary: 'begin a new session here; the old one stays stored',
  async run({ conversation }) {
    await conversation.renew();
    return { type: 'exchanged', how: 'new', text: '' };
  },
};

export const resumeCommand: Command = {
  name: 'resume',
  hint: '[number|id]',
  summary: 'list the sessions of this directory, or go on with one',
  async run({ conversation, width }, rest) {
    const entries = await conversation.list();
    if (rest === '') return { type: 'text', text: sessionList(entries, { width, current: conversation.session.id }) };
    const entry = entries[Number(rest) - 1] ?? only(entries.filter(({ id }) => id.startsWith(rest)));
    if (entry === undefined) return { type: 'refused', text: `no session ${rest} here: /resume lists them` };
    if (entry.id === conversation.session.id) return { type: 'refused', text: 'that is this session' };
    await conversation.resume(entry.id);
    return { type: 'exchanged', how: 'resumed', text: entry.title };
  },
};

function only<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
