/** What is still open of the shared task list: as `todo_reminders`, for the task tools. The list is asked for, since others change it too. */
import type { Fold } from '../../transcript/fold.js';
import { defineAttachment } from '../contract.js';
import { member } from '../parts/kept.js';
import { openLines, type ListedTask } from '../parts/todo-lines.js';
import { recallDue, unitOf, upkeepFold, type Upkeep } from '../parts/upkeep.js';

const KIND = 'task_reminder';

type Told = Upkeep<true>;
type Data = { readonly why: 'window' | 'idle'; readonly open: readonly ListedTask[] };

/** Fold: whether this thread has written tasks, and how long that is ago. */
const tasksFold: Fold<Told> = upkeepFold(KIND, (value) => (member(value, 'tasks') === undefined ? undefined : true));

export const taskReminder = defineAttachment({
  kind: KIND,
  version: 1,
  needs: ['taskList', 'options'],
  options: ['unit'],
  tool: 'TaskUpdate',
  group: 'thread',
  wait: 'may',
  trust: 'third-party',
  told: tasksFold,
  decode: (data) => data,
  async collect(moment, told, { taskList, options }) {
    const why = told.value === undefined ? undefined : recallDue(told, unitOf(options.of(KIND)['unit']));
    if (why === undefined) return { type: 'nothing' };
    const reading = await taskList.read(moment.signal);
    if (reading.type === 'unavailable') return reading;
    const open = reading.value.filter(({ status }) => status !== 'completed');
    return open.length === 0 ? { type: 'nothing' } : { type: 'new', data: { why, open } };
  },
  render({ why, open }: Data) {
    const first =
      why === 'window' ? `The task list still has ${count(open.length)} open:` : 'The task list was not updated for a while. Open in it:';
    const last = why === 'window' ? '' : '\nIf this is out of date, update it with TaskUpdate; if it is as it should be, go on.';
    return { content: [{ type: 'text', text: `${first}\n${openLines(open.map(lineOf))}${last}` }] };
  },
  keep: ({ why }) => ({ why }),
  title: ({ open }) => `task list: ${count(open.length)} open`,
  reason: ({ why }) => (why === 'window' ? 'this window began without it' : 'it was not written for long'),
});

function lineOf({ id, subject, status, owner, blockedBy }: ListedTask): { text: string; status: ListedTask['status'] } {
  const about = [owner === undefined ? '' : `of ${owner}`, blockedBy.length === 0 ? '' : `waits for ${blockedBy.join(', ')}`];
  const notes = about.filter((one) => one !== '').join(', ');
  return { text: `${id}: ${subject}${notes === '' ? '' : ` (${notes})`}`, status };
}

const count = (tasks: number): string => `${tasks} ${tasks === 1 ? 'task' : 'tasks'}`;
