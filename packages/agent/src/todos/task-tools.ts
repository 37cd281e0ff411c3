/** `TaskCreate`, `TaskGet`, `TaskList`, `TaskUpdate`: tasks with owners and an order, in a list that agents share. */
import { countText, head } from '@sidenote/engine';
import type { Effect, Id, ListedTask } from '@sidenote/engine';
import type { StoredTask, TaskList } from '@sidenote/node';
import { choice, inputOf, list, optional, text } from '../tools/input.js';
import { refused, said } from '../tools/outcome.js';
import type { AnyTool, Tool } from '../tools/tool.js';

/** Characters of one task. */
const LONGEST = 20_000;
/** Lines that TaskList shows; characters of a subject and an owner in one, and tasks that it says one waits for. */
const MOST = 200;
const LONGEST_LINE = 160;
const LONGEST_NAME = 60;
const MOST_NAMED = 20;

/** In a fixed order: they belong to the prefix. */
export function taskTools(tasks: TaskList): readonly AnyTool[] {
  return [createTool(tasks), getTool(tasks), listTool(tasks), updateTool(tasks)];
}

/** What is listed: deleted ones are not, and a task waits only for what is not completed. */
export async function listedTasks(tasks: TaskList): Promise<readonly ListedTask[]> {
  const all = await tasks.read();
  const open = new Set(all.filter(({ status }) => status !== 'completed').map(({ id }) => id));
  return all.flatMap(({ id, subject, status, owner, blockedBy }) =>
    status === 'deleted'
      ? []
      : [{ id, subject, status, blockedBy: blockedBy.filter((one) => open.has(one)), ...(owner === undefined ? {} : { owner }) }],
  );
}

/** That a thread has written these: for reminders. */
const wrote = (ids: readonly Id[]): readonly Effect[] => [{ type: 'todos', value: { tasks: ids } }];

function createTool(tasks: TaskList): Tool<{ subject: string; description: string; activeForm: string | undefined }> {
  const input = inputOf('TaskCreate', { subject: text(), description: text(), activeForm: optional(text('in progress: Running tests')) });
  return {
    spec: {
      name: 'TaskCreate',
      description: 'Add a task to the shared list, for work of several steps or agents.',
      input_schema: input.schema,
    },
    access: 'read',
    parse: input.parse,
    title: ({ subject }) => `TaskCreate ${subject}`,
    async run({ subject, description, activeForm }) {
      if (subject.trim() === '') return refused('subject is empty.');
      if (subject.length + description.length > LONGEST) return refused(tooLong);
      const task = await tasks.create({ subject, description, ...(activeForm === undefined ? {} : { activeForm }) });
      return said(`Task ${task.id} was added.`, { effects: wrote([task.id]) });
    },
  };
}

function getTool(tasks: TaskList): Tool<{ taskId: string }> {
  const input = inputOf('TaskGet', { taskId: text() });
  return {
    spec: { name: 'TaskGet', description: 'A task in full.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: ({ taskId }) => `TaskGet ${taskId}`,
    async run({ taskId }) {
      const task = (await tasks.read()).find(({ id }) => id === taskId);
      const listed = (await listedTasks(tasks)).find(({ id }) => id === taskId);
      if (task === undefined || listed === undefined) return refused(await missing(tasks, taskId));
      const { subject, description } = task;
      return said([lineOf(listed), ...(subject.length > LONGEST_LINE ? [subject] : []), description].join('\n\n'));
    },
  };
}

function listTool(tasks: TaskList): Tool<Readonly<Record<string, never>>> {
  const input = inputOf('TaskList', {});
  return {
    spec: { name: 'TaskList', description: 'All tasks, a line each.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: () => 'TaskList',
    async run() {
      const listed = await listedTasks(tasks);
      const more = listed.length > MOST ? [`(${listed.length - MOST} more; TaskGet reads any)`] : [];
      return said(listed.length === 0 ? 'There are no tasks.' : [...listed.slice(0, MOST).map(lineOf), ...more].join('\n'));
    },
  };
}

type UpdateInput = {
  readonly taskId: string;
  readonly status: StoredTask['status'] | undefined;
  readonly subject: string | undefined;
  readonly description: string | undefined;
  readonly activeForm: string | undefined;
  readonly owner: string | undefined;
  readonly addBlocks: readonly string[] | undefined;
  readonly addBlockedBy: readonly string[] | undefined;
};

function updateTool(tasks: TaskList): Tool<UpdateInput> {
  const input = inputOf('TaskUpdate', {
    taskId: text(),
    status: optional(choice(['pending', 'in_progress', 'completed', 'deleted'])),
    subject: optional(text()),
    description: optional(text()),
    activeForm: optional(text()),
    owner: optional(text('who does it')),
    addBlocks: optional(list(text(), 'tasks that wait for it')),
    addBlockedBy: optional(list(text(), 'tasks that it waits for')),
  });
  return {
    spec: { name: 'TaskUpdate', description: 'Change a task: as soon as it begins or is done.', input_schema: input.schema },
    access: 'read',
    parse: input.parse,
    title: ({ taskId, status }) => `TaskUpdate ${taskId}${status === undefined ? '' : ` ${status}`}`,
    async run({ taskId, addBlocks, addBlockedBy, ...named }) {
      const changes = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
      if (JSON.stringify(changes).length > LONGEST) return refused(tooLong);
      const updated = await tasks.update(taskId, { ...changes, blocks: addBlocks ?? [], blockedBy: addBlockedBy ?? [] });
      if (updated.type === 'missing') return refused(await missing(tasks, updated.id));
      if (updated.type === 'circle')
        return refused(`Tasks would wait for each other: ${updated.ids.join(' waits for ')}. Nothing was changed.`);
      return said(`Task ${taskId} is ${updated.task.status.replace('_', ' ')}.`, { effects: wrote([taskId]) });
    },
  };
}

const tooLong = `A task takes at most ${countText(LONGEST)} characters: put details into a file and name it.`;

async function missing(tasks: TaskList, id: string): Promise<string> {
  const known = (await tasks.read()).map((task) => task.id);
  return `There is no task ${id}; ${known.length === 0 ? 'the list is empty' : `there are ${known.slice(0, MOST).join(', ')}`}.`;
}

function lineOf({ id, subject, status, owner, blockedBy }: ListedTask): string {
  const about = [status.replace('_', ' '), ...(owner === undefined ? [] : [`of ${head(owner, LONGEST_NAME)}`])];
  const more = blockedBy.length > MOST_NAMED ? [`${blockedBy.length - MOST_NAMED} more`] : [];
  if (blockedBy.length > 0) about.push(`waits for ${[...blockedBy.slice(0, MOST_NAMED), ...more].join(', ')}`);
  const line = subject.replaceAll(/\s+/g, ' ');
  return `${id}: ${line.length > LONGEST_LINE ? `${head(line, LONGEST_LINE)}…` : line} (${about.join(', ')})`;
}
