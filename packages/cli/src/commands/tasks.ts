/** `/tasks`: what runs beside the conversation; `/tasks <id>` shows its output, `/tasks stop <id>` ends it. */
import { nearest } from '@sidenote/node';
import { clean } from '../terminal/clean.js';
import type { Command, CommandOutcome } from './command.js';
import { fit } from './rows.js';

export const tasksCommand: Command = {
  name: 'tasks',
  hint: '[stop] [id]',
  summary: 'work in the background: list, output, stop',
  async run({ conversation: { background }, width }, rest) {
    const tasks = background.list();
    const [first = '', second = ''] = rest.split(/\s+/);
    const isStop = first === 'stop';
    const name = isStop ? second : first;
    if (name === '' && isStop) return { type: 'refused', text: '/tasks stop needs the id of a task (/tasks lists them)' };
    if (name === '') {
      const lines = tasks.map(({ id, title, state }) =>
        fit(`${id.padEnd(18)} ${state.padEnd(8)} ${clean(title).replaceAll(/\s+/g, ' ')}`, width),
      );
      return { type: 'text', text: lines.length === 0 ? 'nothing runs in the background' : lines.join('\n') };
    }
    const task = tasks.find(({ id }) => id === name);
    if (task === undefined) return unknown(name, tasks);
    if (isStop) return { type: 'text', text: (await background.stop(name)) ? `${name} was stopped` : `${name} had ended already` };
    const output = await background.output(name);
    if (output === undefined) return { type: 'text', text: `${name} (${task.state}) has no output of its own; /agents tells of agents` };
    return { type: 'text', text: output.trim() === '' ? `${name} has written nothing` : clean(output).trimEnd() };
  },
};

function unknown(name: string, tasks: readonly { readonly id: string }[]): CommandOutcome {
  const near = nearest(
    name,
    tasks.map(({ id }) => id),
  );
  return { type: 'refused', text: `there is no task ${name}${near === undefined ? '' : `: did you mean ${near}?`} (/tasks lists them)` };
}
