/** `TaskStop`: ends a background command with everything it started, or an agent. */
import { taskTold } from '@sidenote/engine';
import { describeTask } from '../tasks/describe-task.js';
import type { Tasks } from '../tasks/tasks.js';
import type { ToolEnvironment } from './environment.js';
import { inputOf, text } from './input.js';
import { refused, said } from './outcome.js';
import type { Tool } from './tool.js';

export type TaskStopInput = { readonly task_id: string };

export function taskStopTool({ tasks, stopAgent }: ToolEnvironment): Tool<TaskStopInput> {
  const input = inputOf('TaskStop', { task_id: text() });
  return {
    spec: { name: 'TaskStop', description: 'End a background command or agent.', input_schema: input.schema },
    // It reaches only what the agent itself has started, so nobody has to be asked.
    access: 'read',
    parse: input.parse,
    title: ({ task_id }) => `TaskStop ${task_id}`,
    async run({ task_id }) {
      const status = await tasks.stop(task_id);
      const agent = status === undefined ? await stopAgent?.(task_id) : undefined;
      if (agent !== undefined) return said(agent, { effects: [taskTold({ id: task_id, state: 'stopped' })] });
      if (status === undefined) return refused(unknownTask(tasks, task_id));
      return said(`${describeTask(status)}.`, { effects: [taskTold({ id: task_id, state: status.state })] });
    },
  };
}

/** Says which tasks there are. Tasks end with the process that started them, so a resumed session has none of its old ones. */
export function unknownTask(tasks: Tasks, id: string): string {
  const known = tasks.list().map((task) => task.id);
  return `There is no background command ${id}; ${known.length === 0 ? 'none was started in this process' : `there are ${known.join(', ')}`}.`;
}
