/** `TaskOutput`: what a background command has written since it was last read. */
import { countText } from '@sidenote/engine';
import { taskTold } from '@sidenote/engine';
import { describeTask } from '../tasks/describe-task.js';
import type { ToolEnvironment } from './environment.js';
import { flag, inputOf, integer, optional, text } from './input.js';
import { refused, said } from './outcome.js';
import { plainOutput } from './plain-output.js';
import { unknownTask } from './task-stop.js';
import type { Tool } from './tool.js';

export type TaskOutputInput = { readonly task_id: string; readonly block: boolean | undefined; readonly timeout: number | undefined };

const defaultWaitMs = 30_000;
const maxWaitMs = 600_000;

export function taskOutputTool({ tasks }: ToolEnvironment): Tool<TaskOutputInput> {
  const input = inputOf('TaskOutput', {
    task_id: text(),
    block: optional(flag('wait for its end; default true')),
    timeout: optional(integer({ min: 0 }, `ms to wait; default ${defaultWaitMs}`)),
  });
  return {
    spec: {
      name: 'TaskOutput',
      description: 'State of a background command, and its output since you last read it.',
      input_schema: input.schema,
    },
    access: 'read',
    parse: input.parse,
    title: ({ task_id }) => `TaskOutput ${task_id}`,
    async run({ task_id, block, timeout }, { signal }) {
      if (block !== false) await tasks.wait(task_id, { timeoutMs: Math.min(timeout ?? defaultWaitMs, maxWaitMs), signal });
      const read = await tasks.read(task_id);
      if (read === undefined) return refused(unknownTask(tasks, task_id));
      const lines = [`${describeTask(read.status)}.`];
      if (read.skipped > 0) lines.push(`[… ${countText(read.skipped)} bytes left out; all of it in ${read.status.file} …]`);
      const output = plainOutput(read.text);
      lines.push(output.trim() === '' ? '(no new output)' : output);
      return said(lines.join('\n'), { effects: [taskTold({ id: task_id, state: read.status.state })] });
    },
  };
}
