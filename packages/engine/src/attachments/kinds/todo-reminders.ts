/** What is still open of the todo list: recalled when it was long not written, and told again in a window that begins without it. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment } from '../contract.js';
import { openLines, todosOf, type Todo } from '../parts/todo-lines.js';
import { recallDue, unitOf, upkeepFold, type Upkeep } from '../parts/upkeep.js';

const KIND = 'todo_reminders';

type Told = Upkeep<readonly Todo[]>;
type Data = { readonly why: 'window' | 'idle'; readonly open: readonly Todo[]; readonly done: number };

/** Fold: the list as the newest write left it, and how long that is ago. */
export const todosFold: Fold<Told> = upkeepFold(KIND, todosOf);

export const todoReminders = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['options'],
  options: ['unit'],
  tool: 'TodoWrite',
  group: 'thread',
  wait: 'may',
  // The items are the model's own words, which may quote anything.
  trust: 'third-party',
  told: todosFold,
  decode: (data) => data,
  collect(_moment, told, { options }) {
    const items = told.value ?? [];
    const open = items.filter(({ status }) => status !== 'completed');
    const why = open.length === 0 ? undefined : recallDue(told, unitOf(options.of(KIND)['unit']));
    return why === undefined ? { type: 'nothing' } : { type: 'new', data: { why, open, done: items.length - open.length } };
  },
  render({ why, open, done }: Data) {
    const first =
      why === 'window'
        ? `Your todo list still has ${count(open.length)} open${done === 0 ? '' : ` (${done} done)`}:`
        : `The todo list was not updated for a while. Open in it${done === 0 ? '' : ` (${done} done)`}:`;
    const last = why === 'window' ? '' : '\nIf this is out of date, update it with TodoWrite; if it is as it should be, go on.';
    const lines = openLines(open.map(({ content, status }) => ({ text: content, status })));
    return { content: [{ type: 'text', text: `${first}\n${lines}${last}` }] };
  },
  keep: ({ why }) => ({ why }),
  title: ({ open }) => `todo list: ${count(open.length)} open`,
  reason: ({ why }) => (why === 'window' ? 'this window began without it' : 'it was not written for long'),
});

const count = (items: number): string => `${items} ${items === 1 ? 'item' : 'items'}`;
