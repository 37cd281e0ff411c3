/** `/new` and `/resume`: another session in place of this one. */
import type { SessionEntry } from '../conversation.js';
import type { Command } from './command.js';

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

/** `2026-10-22 09:05`, by the clock on the wall. */
function localMinute(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** One line per session: number, id, when it was changed, first words. */
export function sessionList(entries: readonly SessionEntry[], options: { readonly width: number; readonly current?: string }): string {
  if (entries.length === 0) return 'no sessions here yet';
  return entries
    .map(({ id, changedAt, title }, index) => {
      const mark = id === options.current ? '*' : ' ';
      const when = localMinute(new Date(changedAt));
      const line = `${mark}${String(index + 1).padStart(3)}  ${id.slice(0, 8)}  ${when}  ${title.replaceAll(/\s+/g, ' ')}`;
      return line.length > options.width ? `${line.slice(0, options.width - 1)}…` : line;
    })
    .join('\n');
}
