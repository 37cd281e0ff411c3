/** The local date: told once, and again only when the day is another one. Nothing finer, so that it stays true for a day. */
import { defineAttachment, lastOf } from '../contract.js';
import { member } from '../parts/kept.js';

type DateChange = { readonly date: string; readonly zone: string; readonly first: boolean };

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

export const dateChange = defineAttachment({
  kind: 'date_change',
  version: 1,
  needs: ['clock'],
  group: 'thread',
  wait: 'may',
  trust: 'client',
  again: 'again',
  told: lastOf('date_change', (data: { readonly date: string }) => data.date),
  decode(data) {
    const date = member(data, 'date');
    return typeof date === 'string' ? { date } : undefined;
  },
  collect(_moment, told, { clock }) {
    const date = clock.localDate();
    if (date === told.value) return { type: 'nothing' };
    return { type: 'new', data: { date, zone: clock.timeZone(), first: told.value === undefined } };
  },
  render({ date, zone, first }: DateChange) {
    const day = `${date}${weekday(date)}`;
    return { content: [{ type: 'text', text: first ? `Today is ${day}; the time zone is ${zone}.` : `The date is now ${day}.` }] };
  },
  keep: ({ date }) => ({ date }),
  title: ({ date }) => `date ${date}`,
  reason: ({ first }) => (first ? 'not told yet in this window' : 'the local day changed'),
});

function weekday(date: string): string {
  const name = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()];
  return name === undefined ? '' : `, ${name}`;
}
