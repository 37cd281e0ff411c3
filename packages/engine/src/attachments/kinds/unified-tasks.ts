/** Background commands and agents: what the window does not know yet of their states. Starts and ends are mostly told by results and notifications. */
import type { Id } from '../../content/content.js';
import type { Fold } from '../../transcript/fold.js';
import { head } from '../../content/text.js';
import { defineAttachment, type Room } from '../contract.js';
import { fitting } from '../parts/kept.js';
import { names } from '../parts/names.js';
import { charactersIn } from '../parts/room.js';
import { taskChangeIn, taskChangeOf, taskTold, type TaskState } from '../parts/task-effects.js';
import { effectsIn } from '../parts/views.js';
import type { BackgroundTask } from '../ports.js';

/** `gone`: the process that ran it has ended, and it with it. */
type Change = Pick<BackgroundTask, 'id' | 'title' | 'output'> & { readonly state: TaskState | 'gone' };
type Data = { readonly changes: readonly Change[] };

/** Tasks of one message; the rest comes with the next one. */
const MOST = 20;
const LONGEST = 160;
const STATES: Readonly<Record<Change['state'], string>> = {
  running: 'is running',
  done: 'is done',
  failed: 'failed',
  stopped: 'was stopped',
  gone: 'ended with the process that ran it, or runs on unseen if that one was killed',
};

/** Fold: the state of each task as this window has it. */
export const tasksToldFold: Fold<Map<Id, TaskState>> = {
  name: 'tasks-told',
  scope: 'window',
  on: ['tool_result', 'attachment'],
  initial: () => new Map(),
  step(told, record) {
    for (const effect of effectsIn(record)) {
      const change = taskChangeIn(effect);
      if (change !== undefined) told.set(change.id, change.state);
    }
    return told;
  },
};

export const unifiedTasks = defineAttachment({
  kind: 'unified_tasks',
  version: 1,
  needs: ['tasks', 'notices'],
  group: 'main',
  wait: 'may',
  trust: 'third-party',
  told: tasksToldFold,
  decode: (data) => data,
  async collect(moment, told, { tasks, notices }) {
    const [reading, waiting] = [await tasks.read(moment.signal), await notices.read(moment.signal)];
    if (reading.type === 'unavailable') return reading;
    const announced = waiting.type === 'ready' ? waiting.value.flatMap(({ task }) => taskChangeOf(task)?.id ?? []) : [];
    const changes = changesIn(reading.value, told, announced).slice(0, MOST);
    return changes.length === 0 ? { type: 'nothing' } : { type: 'new', data: { changes } };
  },
  render({ changes }: Data, room) {
    const told = fitted(changes, room);
    const left = changes.length - told.length;
    const text = ['In the background:', ...told.map(lineOf)].join('\n');
    return { content: [{ type: 'text', text }], ...(left === 0 ? {} : { cut: `${left} of ${changes.length} tasks` }) };
  },
  keep: ({ changes }) => ({ ids: fitting(changes.map(({ id }) => id)) }),
  effects: ({ changes }, room) =>
    fitted(changes, room).map(({ id, state }) => taskTold({ id, state: state === 'gone' ? 'stopped' : state })),
  title: ({ changes }) => `background: ${names(changes.map(({ id, state }) => `${id} ${STATES[state]}`))}`,
  reason: () => 'not told yet in this window',
});

/** Running ones that the window does not know, and ends that nothing else tells of those that it does. */
function changesIn(tasks: readonly BackgroundTask[], told: ReadonlyMap<Id, TaskState>, announced: readonly Id[]): readonly Change[] {
  const here = new Set([...tasks.map(({ id }) => id), ...announced]);
  const gone = [...told].flatMap(([id, state]): readonly Change[] =>
    state === 'running' && !here.has(id) ? [{ id, title: '', output: '', state: 'gone' }] : [],
  );
  const changed = tasks.filter((task) =>
    task.state === 'running' ? told.get(task.id) !== 'running' : told.get(task.id) === 'running' && task.announced !== true,
  );
  return [...gone, ...changed];
}

/** As many as there is room for; the others are told another time. */
function fitted(changes: readonly Change[], room: Room): readonly Change[] {
  let left = charactersIn(room) - 20;
  const end = changes.findIndex((change) => (left -= lineOf(change).length + 1) < 0);
  return end === -1 ? changes : changes.slice(0, Math.max(1, end));
}

function lineOf({ id, title, output, state }: Change): string {
  const what = title === '' ? '' : ` (${head(title.replaceAll(/\s+/g, ' ').trim(), LONGEST)})`;
  return `- ${id}${what} ${STATES[state]}${output === '' ? '' : `. ${output}`}`;
}
